/// Grids in boxes, one on each rank.
#pragma once

#include <grids/grid_source.hpp>

#include <weft/core/communicator.hpp>

#include <memory>
#include <vector>

namespace weft {

/// Moves values from the ranks that hold them to those that read them. `mine` reads the box of this rank;
/// `held` and `wanted` are by rank, the same on all ranks. The returned grid has the shape of `mine`, and
/// reads boxes within those that this rank wanted.
///
/// Collective: yes. Blocks: until the values are here. Cost: one exchange, a message for each pair of ranks
/// with intersecting boxes; memory for the wanted boxes of this rank, and for the values it sends and
/// receives. Throws: errors of `mine`, agreed.
[[nodiscard]] std::unique_ptr<grid_source> grid_of_parts(communicator const& comm, grid_source& mine,
    std::vector<box<std::int64_t>> const& held, std::vector<std::vector<box<std::int64_t>>> const& wanted);

} // namespace weft
