/// Communities by label propagation.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Options of `find_communities`, equal on all ranks.
struct communities_options {
    std::int64_t max_iterations = 10; ///< at least 0
};

/// The communities of a graph. Everything but `label` is equal on all ranks.
struct community_labels {
    std::vector<global_id> label;      ///< of every vertex of this rank; a vertex of the graph
    std::int64_t communities = 0;      ///< the number of different labels
    std::vector<std::int64_t> largest; ///< the sizes of the largest ten, descending
    std::int64_t iterations = 0;       ///< the number of iterations
    bool converged = false;            ///< true if the last one changed no label
};

/// Labels vertices by the most frequent label of their neighbours, as LDBC Graphalytics defines it
/// (CDLP). At first each vertex has its own id. In an iteration all vertices at once take the label that
/// is most frequent among their neighbours, the smallest of several; a vertex without neighbours keeps
/// its own. In a graph of one direction a neighbour to which arcs lead in both directions counts twice.
/// If two labellings alternate, which happens if the method does not converge, the remaining iterations are
/// skipped.
///
/// Collective: yes, with the same options on all ranks. Blocks: until all ranks are done. Cost: O(arcs / P)
/// work and one message per neighbour with 8 bytes per ghost in an iteration, and a small all-reduce; where
/// the graph has one direction, one exchange of its arcs before, and their memory again. Order: the result
/// does not depend on the number of ranks. Throws: `usage_error` (a negative number of iterations),
/// `mpi_error`. Source: Raghavan, Albert, Kumara, Physical Review E 76, 2007; alternation, Goles, Olivos,
/// 1980; made deterministic by Iosup and others, The LDBC Graphalytics benchmark, 2016.
[[nodiscard]] community_labels find_communities(
    arc_graph const& graph, communities_options const& options = {});

} // namespace weft
