/// Minimum spanning forests.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// An edge of a forest.
struct forest_edge {
    global_id lower; ///< The smaller vertex.
    global_id upper; ///< The larger vertex.
    double weight;   ///< The weight of the edge.

    friend bool operator==(forest_edge const&, forest_edge const&) = default;
};

/// The minimum spanning forest of a graph. Everything but `edges` is equal on all ranks.
struct spanning_forest {
    /// The edges whose smaller endpoint is on this rank, ascending by endpoints.
    std::vector<forest_edge> edges;
    std::int64_t edge_count = 0; ///< the number of edges of all ranks
    std::int64_t trees = 0;      ///< the number of trees, including isolated vertices
    double weight = 0;           ///< the sum of all weights, added up in integers
    std::int64_t rounds = 0;     ///< The number of rounds in which trees of several ranks were joined.
};

/// Finds the spanning forest of least weight, a tree for each connected component. In a graph without weights
/// each edge has the weight 1. Among edges of equal weight, the edge with smaller endpoints counts as
/// lighter, so the forest is unique.
///
/// Each rank first drops the edges that cannot be in the forest because they close a cycle of lighter edges
/// of this rank (Kruskal). The remaining edges join trees in rounds: every tree takes the lightest edge that
/// leaves it, pointer jumping finds the joined trees, and each rank again drops edges that close a cycle.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: O(m log m) work on a rank, m = arcs / P, to sort
/// its edges; at most log2(n) rounds (0 on one rank), each with five exchanges and a small all-reduce, and
/// for each of O(log n) expected jumps two exchanges and a small all-reduce; memory of 40 bytes per edge of
/// the rank. Order: the result does not depend on the number of ranks. Throws: `usage_error` (a graph whose
/// arcs are stored in only one direction, a weight that is infinite or NaN), `mpi_error`. Source: Boruvka,
/// 1926; Kruskal, Proceedings of the American Mathematical Society 7, 1956.
[[nodiscard]] spanning_forest find_spanning_forest(arc_graph const& graph);

} // namespace weft
