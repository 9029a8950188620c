/// Trees of shortest paths, and the path to a vertex.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>
#include <weft/graph/bfs.hpp>
#include <weft/graph/shortest_paths.hpp>

#include <span>
#include <vector>

namespace weft {

/// Returns the parent of each vertex of this rank: the vertex before it on a shortest path from the source.
/// If a vertex has several shortest paths, its parent is the smallest of the vertices before it on these
/// paths. The source is its own parent; a parent of -1 means that no path leads to the vertex. `found` has
/// the distances of `find_distances` for the same graph and source, without weights.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: O(arcs / P) work and one exchange, of at most 32
/// bytes per ghost. Order: the result does not depend on the number of ranks. Throws: `usage_error`
/// (distances that do not belong to this source and graph), `mpi_error`.
[[nodiscard]] std::vector<global_id> find_parents(
    arc_graph const& graph, global_id source, bfs_distances const& found);

/// Returns the parents for distances from several sources. Each source is its own parent.
[[nodiscard]] std::vector<global_id> find_parents(
    arc_graph const& graph, std::span<global_id const> sources, bfs_distances const& found);

/// Returns the parent of each vertex of this rank for distances of `find_shortest_paths`. Arcs that add
/// nothing to a distance are followed in rounds, from vertices that have a parent by another arc, so parents
/// form no cycle. Collective, Blocks, Order, Throws: as the overload for distances in arcs. Cost: also an
/// exchange for each round; a path takes a round for each arc that adds nothing to a distance.
[[nodiscard]] std::vector<global_id> find_parents(
    arc_graph const& graph, global_id source, path_lengths const& found);

/// Returns on all ranks the vertices of the path from the source to `target` along the parents; an empty list
/// if no path leads to `target`.
///
/// Collective: yes, with the same target on all ranks. Blocks: until all ranks are done. Cost: a broadcast
/// each time that the path continues on another rank. Throws: `usage_error` (an invalid target, a wrong
/// number of parents, parents that form a cycle), `mpi_error`.
[[nodiscard]] std::vector<global_id> find_path(
    vertex_set const& vertices, std::span<global_id const> parent, global_id target);

} // namespace weft
