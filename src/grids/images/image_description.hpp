/// Descriptions of stacks that microscopy programs write into TIFF files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// The stack in a description; numbers are 1 unless given.
struct image_description {
    std::string program; ///< "ImageJ" or "OME"; empty for any other text
    std::int64_t images = 1;
    std::int64_t channels = 1;
    std::int64_t slices = 1;
    std::int64_t moments = 1;
    bool is_calibrated = false; ///< values are encoded (ImageJ's `cf`, `c0`, `c1`)
};

/// Reads ImageJ's lines or OME's XML; `samples`: those of a pixel. Local.
[[nodiscard]] image_description image_description_of(std::string_view text, std::int64_t samples);

} // namespace weft
