/// From the weighted edges that the ranks hold to those of each vertex, with its owner. Private.
#pragma once

#include "graph/adjacency.hpp"

#include <weft/graph/arc_graph.hpp>

#include <vector>

namespace weft {

struct weighted_adjacency {
    adjacency arcs;
    std::vector<double> weight; ///< one for each of `arcs.others`
};

/// `store_edges` with weights; `duplicates` is `lightest` or `sum`, and sums are taken in ascending order, so
/// that they do not depend on who has read the edges. Weights of duplicates must not be NaN. Collective,
/// Throws: as there. Cost: one exchange of 16 bytes an edge, one census; O(edges / P) time and memory a rank.
[[nodiscard]] weighted_adjacency store_weighted_edges(gate& call, uniform_distribution const& vertices,
    edge_list list, stored_with which, arc_weights duplicates);

} // namespace weft
