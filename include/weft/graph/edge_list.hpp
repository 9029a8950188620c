/// A graph as read from a file or generated: every rank holds some of its edges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// A pair of vertices; for a matrix, the row and the column of an entry.
struct edge {
    std::int64_t source; ///< Where the edge begins.
    std::int64_t target; ///< Where it ends.

    friend bool operator==(edge const&, edge const&) = default;
    friend auto operator<=>(edge const&, edge const&) = default;
};

/// The meaning of the endpoints of the edges of an `edge_list`.
enum class vertex_naming : std::uint8_t {
    declared, ///< Vertices are 0..vertices-1; vertex v has the number v + first_id in the file.
    numbers, ///< Endpoints are the file's own labels, any 64-bit integers; the vertices are those that occur.
    text     ///< Endpoints index this rank's `names`; equal labels of two ranks have different indices.
};

/// The entries that a matrix file leaves out because the stored ones imply them.
enum class matrix_symmetry : std::uint8_t {
    general,   ///< The file has all entries.
    symmetric, ///< a(j, i) = a(i, j).
    skew,      ///< a(j, i) = -a(i, j), and the diagonal is zero.
    hermitian  ///< a(j, i) = conj(a(i, j)).
};

/// This rank's part of a graph. Everything but `edges`, `weights` and `names` is equal on all ranks; each
/// stored edge is on exactly one rank, loops and duplicates as the file has them.
struct edge_list {
    std::vector<edge> edges;        ///< Endpoints of each edge of this rank.
    std::vector<double> weights;    ///< One for each edge if they were asked for, else empty.
    std::vector<std::string> names; ///< For `text`: each label of this rank's part, once, as it was written.

    vertex_naming naming = vertex_naming::declared; ///< The meaning of the numbers of vertices.
    std::int64_t vertices = 0;                      ///< For `declared`: the number of vertices; else 0.
    std::int64_t first_id = 0;                      ///< For `declared`: the number of vertex 0 in the file.

    std::int64_t rows = 0;    ///< Rows of a matrix; `vertices` for other `declared` graphs.
    std::int64_t columns = 0; ///< Columns of a matrix; `vertices` for other `declared` graphs.
    bool bipartite = false;   ///< True for a rectangular matrix: column j is vertex rows + j.
    matrix_symmetry symmetry = matrix_symmetry::general; ///< Symmetry that the file declares; only one of (i,
                                                         ///< j) and (j, i) is stored then.

    bool directed = false; ///< True if the format says that edges have a direction.
    bool both_directions =
        false; ///< True if the graph is undirected and lists each edge, loops apart, from both ends.
    bool weighted = false; ///< True if the file has weights, read or not.

    std::string format;          ///< The format in words, as "MatrixMarket coordinate real symmetric".
    std::int64_t file_bytes = 0; ///< Size of the file as it is stored, 0 for a generator.
};

} // namespace weft
