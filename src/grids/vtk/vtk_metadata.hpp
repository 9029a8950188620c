/// METADATA sections of legacy files, which do not affect values.
#pragma once

#include <grids/values/text_cursor.hpp>

#include <cstdint>

namespace weft {

/// Skips a section after its word METADATA: names of the components of the previous array, and keys with
/// values, up to an empty line. VTK writes it after a range was requested or a component was named. Local.
/// Throws: `io_error` if the file ends within it.
void pass_vtk_metadata(text_cursor& in, std::int64_t components);

/// Skips texts of an array: each in a line of its own in text files, after its length in binary ones. Local.
/// Throws: `io_error` if the file ends within them.
void pass_vtk_texts(text_cursor& in, bool is_binary, std::int64_t texts);

} // namespace weft
