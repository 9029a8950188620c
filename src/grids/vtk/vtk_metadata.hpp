/// Sections METADATA of legacy files, which say nothing about values.
#pragma once

#include <grids/values/text_cursor.hpp>

#include <cstdint>

namespace weft {

/// Passes a section behind its word METADATA: names of the components of the array before it, and keys with
/// their values, up to an empty line. VTK writes it once a range was asked for, or a component was named.
/// Local. Throws: `io_error` where the file ends within it.
void pass_vtk_metadata(text_cursor& in, std::int64_t components);

/// Passes texts of an array, which are in lines of their own in text and behind their lengths in binary.
/// Local. Throws: `io_error` where the file ends within them.
void pass_vtk_texts(text_cursor& in, bool is_binary, std::int64_t texts);

} // namespace weft
