/// Images as PNG files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace weft {

/// Writes an image of 8-bit red, green and blue, row by row from the top; the file appears when it is
/// complete. Local. Throws: `io_error`.
void write_png(std::filesystem::path const& file, int width, int height, std::span<std::byte const> rgb);

} // namespace weft
