/// A picture of lines.
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
    std::array<std::string, 3> axes{"x", "y", "z"}; ///< names, with units if they are known
    std::string speed = "speed";
    std::filesystem::path coastlines =
        {}; ///< a shapefile; its x must be a longitude and its y a latitude, in degrees
};

/// Draws lines as shaded tubes in the box of their domain, seen from the side and above; lines within a plane
/// are seen along its normal. They are coloured by speed, with axes and a colour bar; distant lines are
/// dimmer. Local. Throws: `io_error` if coastlines cannot be read.
[[nodiscard]] picture draw_lines(
    line_set const& lines, flow_domain const& domain, line_labels const& labels, theme const& look);

} // namespace weft
