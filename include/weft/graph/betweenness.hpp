/// Betweenness of vertices.
#pragma once

#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Options of `find_betweenness`, equal on all ranks.
struct betweenness_options {
    /// The number of vertices, drawn at random, at which paths begin; 0 takes all, for exact values.
    std::int64_t sources = 0;
    std::uint64_t seed = 1;  ///< seed of the draw
    bool normalized = false; ///< Divide by the number of pairs of other vertices.
};

/// The betweenness of the vertices of a graph.
struct betweenness_values {
    std::vector<double> value; ///< of every vertex of this rank
    std::int64_t sources = 0;  ///< vertices at which paths began
    std::int64_t batches = 0;  ///< groups of sources whose paths were followed together
};

/// Finds how many of the shortest paths between other vertices lead through each one, counted in arcs: for
/// each pair the share of its shortest paths. Pairs are ordered where the graph has one direction, and count
/// once where arcs go both ways. With a sample of sources, values are those of its paths times n / sources.
///
/// Up to 64 sources are followed together, level by level: a word has a bit per source, and one exchange per
/// level brings bits and numbers of paths to the ranks that have arcs from a vertex. On the way back each
/// vertex adds up, from its neighbours of the next level, the share of paths that go on through it.
///
/// Collective: yes, with the same options on all ranks. Blocks: until all ranks are done. Cost: O(sources
/// arcs / P) work per rank; two exchanges and a small all-reduce for each level of a batch, with 16 bytes per
/// ghost and 8 more for each source that reaches it; memory of 16 bytes for each source of a batch and vertex
/// or ghost of the rank: batches have 2^24 / n sources at most. Order: sums are taken in the order of
/// neighbours, and do not depend on the number of ranks. Throws: `usage_error` (a negative number of sources,
/// more paths between two vertices than a double can count), `mpi_error`. Source: Brandes, A faster algorithm
/// for betweenness centrality, Journal of Mathematical Sociology 25, 2001; many searches in one word, Then
/// and others, The more the merrier, PVLDB 8, 2014.
[[nodiscard]] betweenness_values find_betweenness(
    arc_graph const& graph, betweenness_options const& options = {});

} // namespace weft
