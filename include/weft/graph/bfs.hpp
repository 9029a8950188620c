/// Breadth-first search.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// The distances in arcs from a vertex, or from the nearest of several vertices. Everything but `distance` is
/// equal on all ranks.
struct bfs_distances {
    std::vector<std::int64_t> distance; ///< The distance of every vertex of this rank; -1 if not reached.
    std::vector<std::int64_t> levels;   ///< the numbers of vertices at distance 0, 1, 2, ...
    std::int64_t reached = 0;           ///< the number of vertices that were reached, including the sources
    std::int64_t eccentricity = 0;      ///< the largest distance
    std::int64_t sum_of_distances = 0;  ///< The sum of the distances of all vertices that were reached.
    std::int64_t widest_level = 0;      ///< the first level with the most vertices
};

/// Finds the distances of all vertices from `source`, level by level. For each level, one sparse exchange
/// sends the reached ghosts to their owners; a rank sends each ghost at most once. If arcs go both ways, a
/// level with many of the remaining arcs is followed backwards: ranks exchange a bit for each ghost, and each
/// vertex that was not reached yet searches its neighbours until it finds a neighbour in the level.
///
/// Collective: yes, with the same source on all ranks. Blocks: until all ranks are done. Cost: at most O(arcs
/// / P) work per rank, far less in a graph of small diameter; one exchange per level and one more, and a
/// small all-reduce for each level with many arcs. Traffic: 4 bytes per ghost in total; if levels are
/// followed backwards, 4 more bytes per ghost, and a bit per ghost for each such level. Order: the result
/// does not depend on the number of ranks. Throws: `usage_error` for an invalid source, `mpi_error`. Source:
/// Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 5.1, Algorithm 3, with one collective per level in place
/// of two; Beamer, Asanovic, Patterson, Direction-optimizing breadth-first search, SC 2012.
[[nodiscard]] bfs_distances find_distances(arc_graph const& graph, global_id source);

/// Finds the distance of each vertex from the nearest of several sources; a source that is given twice counts
/// once, and without sources no vertex is reached. All ranks pass the same sources. All else is the same as
/// for the overload for one source.
[[nodiscard]] bfs_distances find_distances(arc_graph const& graph, std::span<global_id const> sources);

} // namespace weft
