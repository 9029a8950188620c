/// Lines as a picture.
#pragma once

#include <pictures/theme.hpp>
#include <pictures/write_png.hpp>
#include <tracing/field_block.hpp>
#include <tracing/line_store.hpp>

#include <array>
#include <filesystem>
#include <string>

namespace weft {

/// The words of a picture of lines.
struct line_labels {
    std::string title = {};
    std::array<std::string, 3> axes{"x", "y", "z"}; ///< names, with units where they are known
    std::string speed = "speed";
    std::filesystem::path coastlines =
        {}; ///< a shapefile, where x is a longitude and y a latitude in degrees
};

/// Draws lines as shaded tubes in the box of their domain, seen from the side and above; lines within a
/// plane are seen from straight ahead; coloured by speed, with axes and a colour bar. The lines that are far
/// away are dimmer. Local. Throws: `io_error` where coastlines cannot be read.
[[nodiscard]] picture draw_lines(
    line_set const& lines, flow_domain const& domain, line_labels const& labels, theme const& look);

} // namespace weft
