/// Which columns of a CSV file say what.
#pragma once

#include "io/formats/graph_header.hpp"

#include <string>
#include <string_view>

namespace weft::io {

/// True if two words are what the columns of edges are usually called, as `source target`. Single letters,
/// which are good labels, are not.
[[nodiscard]] bool are_column_names(std::string_view source, std::string_view target);

/// Leaves `lines` at the first record, having found the separator (the one of , ; tab and | that occurs most
/// often in the first line, outside of quotes), whether that line is a header, and the columns, unless
/// `options` say: `columns` are two or three names of a header or numbers from 1, `weight` is one; or else
/// the usual names, or else the first two. Throws: `malformed`, with the offset in the text; what `lines`
/// throws.
void read_csv_header(line_chunks& lines, read_options const& options, graph_header& header);

} // namespace weft::io
