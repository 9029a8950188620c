/// Pictures in PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace weft {

/// Pixels of red, green and blue, row by row from the top.
struct picture {
    picture() = default;
    picture(std::int64_t pixels_wide, std::int64_t pixels_high)
        : width(pixels_wide),
          height(pixels_high),
          rgb(static_cast<std::size_t>(pixels_wide * pixels_high * 3)) {}

    std::int64_t width = 0;
    std::int64_t height = 0;
    std::vector<std::uint8_t> rgb;
};

/// Writes a picture; the file appears when it is complete. Local. Throws: `io_error`.
void write_png(std::filesystem::path const& file, picture const& drawn);

} // namespace weft
