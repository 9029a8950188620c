/// Descriptions of stacks that programs of microscopy write into TIFF files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// The stack that a description tells of; ones where it says nothing.
struct image_description {
    std::string program; ///< "ImageJ" or "OME"; empty for any other text
    std::int64_t images = 1;
    std::int64_t channels = 1;
    std::int64_t slices = 1;
    std::int64_t moments = 1;
    bool is_calibrated = false; ///< values stand for others (ImageJ's `cf`, `c0`, `c1`)
};

/// Reads the text of ImageJ's lines or of OME's XML; `samples` are those of a pixel. Local.
[[nodiscard]] image_description image_description_of(std::string_view text, std::int64_t samples);

} // namespace weft
