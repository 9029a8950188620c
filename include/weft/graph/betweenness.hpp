/// Betweenness of vertices.
#pragma once

#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Options of `find_betweenness`, equal on all ranks.
struct betweenness_options {
    /// The number of vertices, drawn at random, at which paths begin. 0: all vertices, for exact values.
    std::int64_t sources = 0;
    std::uint64_t seed = 1;  ///< The seed of the random draw.
    bool normalized = false; ///< True to divide values by the number of pairs of other vertices.
};

/// The betweenness of the vertices of a graph.
struct betweenness_values {
    std::vector<double> value; ///< The betweenness of every vertex of this rank.
    std::int64_t sources = 0;  ///< The number of vertices at which paths began.
    std::int64_t batches = 0;  ///< The number of groups of sources whose paths were followed together.
};

/// Finds the betweenness of each vertex: for each pair of other vertices, the share of the shortest paths
/// between them (in arcs) that lead through the vertex, summed over all pairs. Pairs are ordered if the graph
/// is directed; otherwise each pair counts once. With a sample of sources, only paths from these sources
/// count, and values are multiplied by n / sources, where n is the number of vertices.
///
/// Paths from up to 64 sources are followed together, level by level. A word per vertex has a bit for each
/// source that has reached the vertex. One exchange per level sends these bits and the numbers of paths to
/// the ranks that have arcs from the vertex. Then, from the last level back, each vertex adds up the shares
/// of its neighbours in the next level.
///
/// Collective: yes, with the same options on all ranks. Blocks: until all ranks are done. Cost: O(sources *
/// arcs / P) work per rank. For each level of a batch of sources, two exchanges and a small all-reduce, with
/// 16 bytes per ghost and 8 more bytes for each source that reaches the ghost. Memory: 16 bytes for each pair
/// of a source of a batch and a vertex or ghost of the rank; a batch has 2^24 / n sources, but at least 1 and
/// at most 64. Order: sums are taken in the order of neighbours, and do not depend on the number of ranks.
/// Throws: `usage_error` (a negative number of sources, more paths between two vertices than a double can
/// count), `mpi_error`. Source: Brandes, A faster algorithm for betweenness centrality, Journal of
/// Mathematical Sociology 25, 2001; many searches in one word, Then and others, The more the merrier, PVLDB
/// 8, 2014.
[[nodiscard]] betweenness_values find_betweenness(
    arc_graph const& graph, betweenness_options const& options = {});

} // namespace weft
