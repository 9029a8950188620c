/// PageRank.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// A vertex and its value.
struct ranked_vertex {
    global_id vertex; ///< The vertex, of 0..n-1.
    double value;     ///< Its value.
};

/// Options of `find_pagerank`, equal on all ranks.
struct pagerank_options {
    double damping = 0.85;                ///< The probability of following an arc: 0 or more, and below 1.
    double tolerance = 1e-14;             ///< The sum of changes below which iteration ends.
    std::int64_t max_iterations = 10'000; ///< The most iterations.
    /// The vertices to which the surfer jumps instead of following an arc, with a probability in proportion
    /// to their values, which are at least 0 and not all 0; values of a vertex that is listed twice add up.
    /// Default: all vertices, with equal probability.
    std::vector<ranked_vertex> personalization = {};
};

/// The PageRank of a graph. Everything but `value` is equal on all ranks.
struct pagerank_values {
    std::vector<double> value;      ///< of every vertex of this rank; all together add up to 1
    std::int64_t iterations = 0;    ///< The number of iterations.
    bool converged = false;         ///< true if the tolerance was met
    double least = 0;               ///< the smallest value; 0 in a graph without vertices
    std::vector<ranked_vertex> top; ///< the ten of largest value, descending; ties by vertex
};

/// Finds the probability of each vertex for a random surfer, who follows a random arc with probability
/// `damping` and else, or where no arc leads on, goes to any vertex, or to one of `personalization`: by power
/// iteration from the probabilities of these. In a graph with weights an arc is followed with a probability
/// in proportion to its weight; a vertex whose arcs all have weight 0 counts as one without arcs.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: an iteration takes O(arcs / P) work, one message
/// of 8 bytes per ghost from each neighbour and a small all-reduce; values of vertices without ghosts are
/// computed while they travel. Weights cost 8 bytes per arc of memory and, in a directed graph, one exchange
/// of the arcs. Order: a vertex adds up its neighbours in pairs of ascending order, and sums over all
/// vertices are taken in integers of 2^-82: the values are the same to the last bit at any number of ranks.
/// Throws: `usage_error` for a graph of forward arcs, options out of range, a vertex that does not exist, or
/// a weight or a value of `personalization` that is negative, infinite or NaN; `mpi_error`. Source: Page,
/// Brin, Motwani, Winograd, The PageRank citation ranking, 1999; dangling vertices as in Langville, Meyer,
/// Deeper inside PageRank, 2004.
[[nodiscard]] pagerank_values find_pagerank(arc_graph const& incoming, pagerank_options const& options = {});

} // namespace weft
