/// Validation of search trees by the rules of the Graph500 benchmark.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <span>

namespace weft {

/// The numbers of violations of each rule of Graph500's validation in a tree; equal on all ranks.
struct tree_faults {
    std::int64_t source = 0; ///< 1 if the source is not its own parent with distance 0.
    /// The number of vertices with a parent but no distance, or a distance but no parent.
    std::int64_t halves = 0;
    std::int64_t strange = 0; ///< The number of vertices whose parent is not a neighbour.
    /// The number of vertices whose distance is not the distance of the parent plus the weight of the arc
    /// from the parent. If `steps` is 0, and each weight adds something to a distance, parents form no cycle.
    std::int64_t steps = 0;
    std::int64_t shorter = 0; ///< the number of arcs that would make a distance smaller
    std::int64_t left = 0;    ///< The number of arcs from a reached vertex to a vertex that was not reached.

    /// Returns true if no rule is broken.
    [[nodiscard]] bool none() const noexcept {
        return source + halves + strange + steps + shorter + left == 0;
    }
    friend bool operator==(tree_faults const&, tree_faults const&) = default;
};

/// Checks a tree of shortest paths from `source` against the graph, in which arcs go both ways. The tree is
/// given by the distances in arcs and the parents of this rank's vertices, as `find_distances` and
/// `find_parents` return them; both are -1 for a vertex that was not reached. Weights are ignored.
///
/// Collective: yes, with the same source. Blocks: until all ranks are done. Cost: O(arcs / P) work; a `halo`
/// is made and run once. Throws: `usage_error` on all ranks (a graph whose arcs are stored in only one
/// direction, an invalid source, a wrong number of distances or parents), `mpi_error`. Source: Graph500
/// specification, validation of kernels 2 and 3.
[[nodiscard]] tree_faults check_tree(arc_graph const& graph, global_id source,
    std::span<std::int64_t const> distance, std::span<global_id const> parent);

/// Checks a tree with distances by weights, as `find_shortest_paths` returns them; the distance of a vertex
/// that was not reached is infinite. In a graph without weights each arc has the length 1. Collective,
/// Blocks, Cost, Throws, Source: as the overload for distances in arcs.
[[nodiscard]] tree_faults check_tree(arc_graph const& graph, global_id source,
    std::span<double const> distance, std::span<global_id const> parent);

} // namespace weft
