/// PageRank.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// A vertex and its value.
struct ranked_vertex {
    global_id vertex; ///< The vertex, from 0 to n - 1.
    double value;     ///< The value of the vertex.
};

/// Options of `find_pagerank`, equal on all ranks.
struct pagerank_options {
    double damping = 0.85; ///< The probability of following an arc: 0 or more, and below 1.
    /// Iteration ends when the changes of all values add up to less than `tolerance`. With a tolerance of
    /// 2^-16 (1.5e-5) or more, and if the graph has no weights and jumps have equal probabilities, ranks
    /// exchange values rounded to 4 bytes in place of 8 bytes, to save time. The error by rounding is less
    /// than a hundredth of the tolerance.
    double tolerance = 1e-14;
    std::int64_t max_iterations = 10'000; ///< The largest number of iterations.
    /// The vertices to which the random surfer jumps instead of following an arc, with a probability in
    /// proportion to the value of the vertex. Values are at least 0 and not all 0; if a vertex is listed
    /// twice, its values are added. Default: all vertices, with equal probability.
    std::vector<ranked_vertex> personalization = {};
};

/// The PageRank of a graph. Everything but `value` is equal on all ranks.
struct pagerank_values {
    /// The PageRank of every vertex of this rank; the sum over all ranks is 1.
    std::vector<double> value;
    std::int64_t iterations = 0;    ///< The number of iterations.
    bool converged = false;         ///< True if the changes fell below the tolerance.
    double least = 0;               ///< the smallest value; 0 in a graph without vertices
    std::vector<ranked_vertex> top; ///< The ten largest values; of equal values the smaller vertex first.
};

/// Finds the probability that a random surfer is at each vertex, by power iteration. The surfer follows a
/// random arc with probability `damping`; otherwise, or if no arc leaves the vertex, the surfer jumps to any
/// vertex, or to a vertex of `personalization`. The iteration begins with the probabilities of a jump. In a
/// graph with weights an arc is followed with a probability in proportion to its weight; a vertex whose arcs
/// all have weight 0 counts as a vertex without arcs.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: an iteration takes O(arcs / P) work, one message
/// from each neighbouring rank with 8 bytes per ghost (4 bytes if values are rounded, see
/// `pagerank_options::tolerance`), and a small all-reduce; values of vertices that need no ghosts are
/// computed while messages travel. Weights cost 8 bytes per arc of memory and, in a directed graph, one
/// exchange of the arcs. Order: the terms of neighbours are added in a fixed order, by pairwise summation.
/// Sums over all vertices are computed as integer multiples of 2^-82. Values have the same bits at any number
/// of ranks. Throws: `usage_error` for a graph with forward arcs only, options out of range, a vertex that
/// does not exist, or a weight or a value of `personalization` that is negative, infinite or NaN;
/// `mpi_error`. Source: Page, Brin, Motwani, Winograd, The PageRank citation ranking, 1999; dangling vertices
/// as in Langville, Meyer, Deeper inside PageRank, 2004.
[[nodiscard]] pagerank_values find_pagerank(arc_graph const& incoming, pagerank_options const& options = {});

} // namespace weft
