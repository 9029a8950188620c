/// Trees of shortest paths, and the path to a vertex.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>
#include <weft/graph/bfs.hpp>
#include <weft/graph/shortest_paths.hpp>

#include <span>
#include <vector>

namespace weft {

/// Returns for each vertex of this rank the vertex before it on a shortest path from the source: of several
/// the one of smallest number; the source has itself, and -1 stands where no path leads. By `find_distances`
/// of the same graph and source, for which weights do not count.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: O(arcs / P) work and one exchange, of at most 32
/// bytes a ghost. Order: the result does not depend on the number of ranks. Throws: `usage_error` (distances
/// that are not those from this source in this graph), `mpi_error`.
[[nodiscard]] std::vector<global_id> find_parents(
    arc_graph const& graph, global_id source, bfs_distances const& found);

/// Returns the same by `find_shortest_paths`. Where arcs add nothing to a sum, they are followed in rounds
/// from the vertices that others lead to, so that parents have no cycle. Collective, Blocks, Order, Throws:
/// as the other. Cost: the same, and an exchange for each arc without length that the path of fewest such
/// arcs has.
[[nodiscard]] std::vector<global_id> find_parents(
    arc_graph const& graph, global_id source, path_lengths const& found);

/// Returns the vertices of the path that parents make, from the source to `target`; none where it was not
/// reached. The same on all ranks.
///
/// Collective: yes, with the same target on all ranks. Blocks: until all ranks are done. Cost: a broadcast
/// each time that the path goes to another rank. Throws: `usage_error` (an invalid target, parents that are
/// not one for each vertex of the rank, or lead in a circle), `mpi_error`.
[[nodiscard]] std::vector<global_id> find_path(
    vertex_set const& vertices, std::span<global_id const> parent, global_id target);

} // namespace weft
