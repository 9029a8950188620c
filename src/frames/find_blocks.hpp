/// Blocks of equal weight from weights that are sorted already. Private.
#pragma once

#include "id_weights.hpp"

#include <weft/core/communicator.hpp>
#include <weft/frames/balanced_blocks.hpp>

#include <exception>
#include <limits>
#include <vector>

namespace weft {

/// Cuts ids of [0, end), the same on all ranks, into a block for each share; ids from `end` on count as the
/// last one. `mine` are the weights of this rank's items; all ranks together have some. Of the options counts
/// what concerns the search. Collective: yes. Blocks: until all ranks have called. Cost: a census and an
/// all_reduce of some points a splitter for each reduction. Throws: `failure`, agreed; `mpi_error`.
[[nodiscard]] balanced_blocks find_blocks(communicator const& comm, id_weights const& mine,
    std::exception_ptr const& failure, global_id end, std::vector<double> const& shares,
    balance_options const& options);

/// The end of blocks that have ids up to the largest one: ids of 63 bits have an end of 63 bits, so that the
/// last one of all stands behind it.
[[nodiscard]] constexpr global_id end_behind(global_id largest) noexcept {
    return largest == std::numeric_limits<global_id>::max() ? largest : largest + 1;
}

/// `balance_blocks` of any ids that are not negative. `largest` becomes that of all ranks, -1 without ids;
/// one of 2^63 - 1 counts as the last id of the blocks. Collective, Blocks, Cost, Throws: as
/// `balance_blocks`.
[[nodiscard]] balanced_blocks balance_all_ids(
    communicator const& comm, parts_view<global_id> const& ids, global_id& largest);

} // namespace weft
