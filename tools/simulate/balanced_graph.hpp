/// The graph of Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 5.1.1, as far as a search from rank to rank
/// sees it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::tool {

/// Vertex `vertex` of rank `rank`.
struct placed_vertex {
    int rank = 0;
    int vertex = 0;
};

/// An edge between ranks, which its source alone knows.
struct remote_edge {
    int source = 0; ///< a vertex of this rank
    placed_vertex target;
};

/// Each rank has a random graph whose ordered pairs of vertices are edges with a probability, `degree` edges
/// from random vertices to random vertices of random other ranks, and its piece of a cycle through all
/// vertices of all ranks.
///
/// Edges inside a rank are not stored: an edge is there if a hash of its ends says so. From a vertex all
/// others of its rank are taken to be at most two edges away, which is wrong with probability
/// (1 - p^2)^vertices a vertex: 1e-6 for 15,000 vertices and p = 0.03.
struct balanced_graph {
    int ranks = 1;
    int vertices = 15'000; ///< a rank
    double probability = 0.03;
    int degree = 6;
    std::uint64_t seed = 1;

    /// The edges of a rank to others, the cycle's last; none on one rank.
    [[nodiscard]] std::vector<remote_edge> remote_edges(int rank) const;
    /// How many edges away `to` is from `from` inside a rank: 0, 1 or 2.
    [[nodiscard]] int distance(int rank, int from, int to) const;
    [[nodiscard]] double edges_a_vertex() const { return probability * vertices + 1; }
    /// The expected number of vertices that lie at most one edge away from a set of vertices of the given
    /// size.
    [[nodiscard]] double reached_from(int entries) const;
};

} // namespace weft::tool
