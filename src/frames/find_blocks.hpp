/// Finds blocks of equal weight from sorted weights. Private.
#pragma once

#include "id_weights.hpp"

#include <weft/core/communicator.hpp>
#include <weft/frames/balanced_blocks.hpp>

#include <exception>
#include <limits>
#include <vector>

namespace weft {

/// Cuts the ids of [0, end), the same on all ranks, into a block for each share; larger ids count as the last
/// one. `mine`: the weights of this rank's items; at least one rank must have some. Uses the options of the
/// search only. Collective: yes. Blocks: until all ranks have called. Cost: a census, and for each reduction
/// an all_reduce of some points for each splitter. Throws: `failure`, agreed; `mpi_error`.
[[nodiscard]] balanced_blocks find_blocks(communicator const& comm, id_weights const& mine,
    std::exception_ptr const& failure, global_id end, std::vector<double> const& shares,
    balance_options const& options);

/// Returns the end of blocks with ids up to `largest`. It has 63 bits like ids, so the very last id lies
/// outside of the blocks.
[[nodiscard]] constexpr global_id end_behind(global_id largest) noexcept {
    return largest == std::numeric_limits<global_id>::max() ? largest : largest + 1;
}

/// Calls `balance_blocks` for any nonnegative ids. `largest` becomes that of all ranks, -1 without ids; an
/// id of 2^63 - 1 counts as the last id of the blocks. Collective, Blocks, Cost, Throws: as
/// `balance_blocks`.
[[nodiscard]] balanced_blocks balance_all_ids(
    communicator const& comm, parts_view<global_id> const& ids, global_id& largest);

} // namespace weft
