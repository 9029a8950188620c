/// Pictures of histograms.
#pragma once

#include <grids/values/value_histogram.hpp>
#include <pictures/theme.hpp>
#include <pictures/write_png.hpp>

#include <string>

namespace weft::tool {

/// Draws a bar for each bin, with axes. `value`: what the values are, with their unit. On a logarithmic axis
/// a bar begins at a half, so that a count of 1 is seen. Local.
[[nodiscard]] picture draw_histogram(value_histogram const& found, std::string const& title,
    std::string const& value, bool logarithmic, theme const& look);

} // namespace weft::tool
