/// A graph as read from a file or generated: every rank holds some of its edges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// A pair of vertices; for a matrix, the row and the column of an entry.
struct edge {
    std::int64_t source; ///< The vertex where the edge begins.
    std::int64_t target; ///< The vertex where the edge ends.

    friend bool operator==(edge const&, edge const&) = default;
    friend auto operator<=>(edge const&, edge const&) = default;
};

/// The meaning of the endpoints of the edges of an `edge_list`.
enum class vertex_naming : std::uint8_t {
    declared, ///< Vertices are 0..vertices-1; vertex v has the number v + first_id in the file.
    /// Endpoints are the labels in the file, any 64-bit integers. Each label is a vertex.
    numbers,
    /// Endpoints are indices of this rank's `names`; a label may have different indices on two ranks.
    text
};

/// The entries that a matrix file leaves out because symmetry implies them.
enum class matrix_symmetry : std::uint8_t {
    general,   ///< The file has all entries.
    symmetric, ///< a(j, i) = a(i, j).
    skew,      ///< a(j, i) = -a(i, j), and the diagonal is zero.
    hermitian  ///< a(j, i) = conj(a(i, j)).
};

/// The edges of a graph that one rank holds. Everything but `edges`, `weights` and `names` is equal on all
/// ranks; each stored edge is on exactly one rank. Loops and duplicates of the file are kept.
struct edge_list {
    std::vector<edge> edges;     ///< The two ends of each edge of this rank.
    std::vector<double> weights; ///< The weight of each edge if weights were asked for, else empty.
    /// With `vertex_naming::text`, each label of this rank's edges, once, as in the file; else empty.
    std::vector<std::string> names;

    vertex_naming naming = vertex_naming::declared; ///< The meaning of the endpoints of edges.
    /// With `vertex_naming::declared`, the number of vertices; else 0.
    std::int64_t vertices = 0;
    /// With `vertex_naming::declared`, the number of vertex 0 in the file.
    std::int64_t first_id = 0;

    /// The number of rows of a matrix; for other graphs with declared vertices equal to `vertices`.
    std::int64_t rows = 0;
    /// The number of columns of a matrix; for other graphs with declared vertices equal to `vertices`.
    std::int64_t columns = 0;
    bool bipartite = false; ///< True for a rectangular matrix: column j is vertex rows + j.
    /// The symmetry that the file declares; unless it is `general`, only one of the entries (i, j) and (j, i)
    /// is stored.
    matrix_symmetry symmetry = matrix_symmetry::general;

    bool directed = false; ///< True if the format says that edges have a direction.
    /// True if the graph is undirected and the file lists each edge twice, from both ends (loops once).
    bool both_directions = false;
    bool weighted = false; ///< True if the file has weights, whether they were read or not.

    std::string format;          ///< The format in words, as "MatrixMarket coordinate real symmetric".
    std::int64_t file_bytes = 0; ///< The size of the file as it is stored, in bytes; 0 for a generated graph.
};

} // namespace weft
