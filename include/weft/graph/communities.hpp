/// Communities by label propagation.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Options of `find_communities`, equal on all ranks.
struct communities_options {
    std::int64_t max_iterations = 10; ///< The largest number of iterations, at least 0.
};

/// The communities of a graph. Everything but `label` is equal on all ranks.
struct community_labels {
    /// The label of every vertex of this rank; a label is the number of a vertex.
    std::vector<global_id> label;
    std::int64_t communities = 0;      ///< the number of different labels
    std::vector<std::int64_t> largest; ///< the sizes of the ten largest communities, descending
    std::int64_t iterations = 0;       ///< the number of iterations
    bool converged = false;            ///< true if the last iteration changed no label
};

/// Labels vertices by the most frequent label of their neighbours, as LDBC Graphalytics defines it (CDLP). At
/// first the label of each vertex is its own id. In an iteration all vertices simultaneously take the label
/// that is most frequent among their neighbours. If several labels are most frequent, the smallest of them is
/// taken. A vertex without neighbours keeps its label. In a directed graph a neighbour with arcs in both
/// directions counts as two neighbours with the same label. If the method does not converge and two
/// labellings alternate, the remaining iterations are skipped.
///
/// Collective: yes, with the same options on all ranks. Blocks: until all ranks are done. Cost: for each
/// iteration O(arcs / P) work, a small all-reduce, and one message per neighbouring rank with 8 bytes per
/// ghost; for a directed graph also one exchange of its arcs, and memory for a second copy of the arcs.
/// Order: the result does not depend on the number of ranks. Throws: `usage_error` (a negative number of
/// iterations), `mpi_error`. Source: Raghavan, Albert, Kumara, Physical Review E 76, 2007; alternation,
/// Goles, Olivos, 1980; made deterministic by Iosup and others, The LDBC Graphalytics benchmark, 2016.
[[nodiscard]] community_labels find_communities(
    arc_graph const& graph, communities_options const& options = {});

} // namespace weft
