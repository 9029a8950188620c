/// Lists that are no edge lists, but whose lines would be read as edges.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft::io {

/// Refuses lists with commas, brackets, arrows, quotes or letters of records around their labels, and lists
/// of vertices with their neighbours. Goes by the lines of `start`, the beginning of a file; `offset` says
/// where it is in the text, and `tabs` if fields end at tabs alone, so that labels may have blanks. Throws:
/// `malformed`.
void refuse_unlike_edges(std::string_view start, std::int64_t offset, bool tabs);

} // namespace weft::io
