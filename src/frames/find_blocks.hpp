/// Blocks of equal weight from weights that are sorted already. Private.
#pragma once

#include "id_weights.hpp"

#include <weft/core/communicator.hpp>
#include <weft/frames/balanced_blocks.hpp>

#include <vector>

namespace weft {

/// Cuts ids of [0, end), the same on all ranks, into a block for each share. `mine` are the weights of this
/// rank's items; all ranks together have some. Of the options counts what concerns the search. Collective:
/// yes. Blocks: until all ranks have called. Cost: an all_reduce of some points a splitter for each
/// reduction. Throws: `mpi_error`.
[[nodiscard]] balanced_blocks find_blocks(communicator const& comm, id_weights const& mine, global_id end,
    std::vector<double> const& shares, balance_options const& options);

} // namespace weft
