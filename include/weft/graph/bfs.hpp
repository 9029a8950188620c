/// Breadth-first search.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The distances from one vertex, in arcs. Everything but `distance` is equal on all ranks.
struct bfs_distances {
    std::vector<std::int64_t> distance; ///< of every vertex of this rank; -1 where it was not reached
    std::vector<std::int64_t> levels;   ///< how many vertices are at distance 0, 1, 2, ...
    std::int64_t reached = 0;           ///< vertices, the source among them
    std::int64_t eccentricity = 0;      ///< the largest distance
    std::int64_t sum_of_distances = 0;
    std::int64_t widest_level = 0; ///< the first level of most vertices
};

/// Finds the distances of all vertices from `source`, level by level: the neighbours of a level that other
/// ranks own are sent there in one sparse exchange, each at most once from a rank. The census that ends an
/// exchange carries the size of the level, so one collective operation a level does it all.
///
/// Collective: yes, with the same source on all ranks. Blocks: until all ranks are done. Cost: O(arcs / P)
/// work a rank, one exchange a level and one more; traffic of 4 bytes a ghost in all. Order: the result does
/// not depend on the number of ranks. Throws: `usage_error` for a source that is no vertex, `mpi_error`.
/// Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 5.1, Algorithm 3, its two collectives a level
/// made one.
[[nodiscard]] bfs_distances find_distances(arc_graph const& graph, global_id source);

} // namespace weft
