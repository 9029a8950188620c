/// The header of each format. All take `lines` at the start of the text and leave it at the first line of the
/// body; all throw `malformed`, with the offset in the text, and what `lines` throws.
#pragma once

#include "graph_header.hpp"

#include <string_view>

namespace weft::io {

/// Banner, comments, "rows columns entries".
void read_matrix_market_header(line_chunks& lines, graph_header& header);

/// Comments, "vertices edges [format [weights]]".
void read_metis_header(line_chunks& lines, graph_header& header);

/// Comments, "p problem vertices edges".
void read_dimacs_header(line_chunks& lines, graph_header& header);

/// An edge list has none, but its first edge tells whether there are weights.
void read_edge_list_header(line_chunks& lines, graph_header& header);

/// The words of a banner.
[[nodiscard]] std::string_view name_of(matrix_field field) noexcept;
[[nodiscard]] std::string_view name_of(matrix_symmetry symmetry) noexcept;

} // namespace weft::io
