/// The header of a graph file, before its first edge. Rank 0 reads it, all ranks get it.
#pragma once

#include "io/text/line_chunks.hpp"

#include <weft/graph/edge_list.hpp>
#include <weft/io/read_graph.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace weft::io {

/// The values of a MatrixMarket file.
enum class matrix_field : std::uint8_t { pattern, integer, real, complex };

/// How a line of a `.gr` file gives an edge.
enum class dimacs_lines : std::uint8_t {
    pairs, ///< PACE: `u v`
    edges, ///< DIMACS colouring: `e u v`
    arcs   ///< DIMACS shortest paths: `a u v length`
};

/// Plain data, so that it can be sent as it is.
struct graph_header {
    graph_format format = graph_format::edge_list;
    packing packed = packing::plain;
    bool guessed = false; ///< Neither the caller nor the suffix nor the first lines told the format.
    std::int64_t file_bytes = 0;
    std::int64_t body = 0;   ///< Where the first line behind the header starts, in the text.
    std::int64_t header = 0; ///< Where the line that declares the sizes starts, in the text.

    std::int64_t rows = 0; ///< Of a matrix; of other formats that declare it, the number of vertices.
    std::int64_t columns = 0;
    /// Declared edges or matrix entries. Edge list: the second number of a first line of two, which may be a
    /// line of counts.
    std::int64_t entries = 0;
    bool weighted = false;

    matrix_field field = matrix_field::pattern;
    matrix_symmetry symmetry = matrix_symmetry::general;

    std::int32_t numbers_before_neighbours = 0; ///< METIS: vertex size and weights.
    dimacs_lines dimacs = dimacs_lines::pairs;
    char problem[16] = {}; ///< DIMACS: the word behind the `p`.

    char separator = ',';         ///< CSV.
    char decimal = '.';           ///< CSV: in weights.
    bool has_header = false;      ///< CSV: the first line names the columns.
    bool may_have_header = false; ///< CSV: the first line, which is read as an edge, may name the columns.
    bool tabs = false;            ///< Edge list: fields end at tabs alone.
    std::int32_t columns_in_file = 0; ///< CSV: fields of every line.
    std::int32_t source_column = 0;   ///< CSV: from 0, as the next two.
    std::int32_t target_column = 1;
    std::int32_t weight_column = -1; ///< -1: there is none.
};

/// True where an option is of CSV files alone.
[[nodiscard]] bool asks_for_csv(read_options const& options);

/// The format, and what the file declares. `lines` stands at the start of the
/// text and is moved to the first line of the body. Throws: `malformed`, with the offset in the text; what
/// `lines` throws.
[[nodiscard]] graph_header read_header(
    line_chunks& lines, std::filesystem::path const& file, read_options const& options = {});

/// An edge list without edges, described as the header says. `naming` counts for edge lists only.
[[nodiscard]] edge_list describe(graph_header const& header, vertex_naming naming);

} // namespace weft::io
