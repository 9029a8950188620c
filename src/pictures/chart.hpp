/// Charts: lines in panels beside each other.
#pragma once

#include <pictures/theme.hpp>
#include <pictures/write_png.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace weft {

struct chart_axis {
    std::string title; ///< with its unit
    bool is_logarithmic = false;
};

struct chart_point {
    double x = 0;
    double y = 0;
};

/// One line. `number` selects colour and mark, so that a subject has the same ones in all panels.
struct chart_series {
    std::string name;
    std::size_t number = 0;
    bool dashed = false;
    std::vector<chart_point> points;
};

struct chart_panel {
    std::string title;
    chart_axis x;
    chart_axis y;
    std::vector<chart_series> series;
};

/// Draws panels beside each other, at most four in a row, with one legend below. Points that an axis cannot
/// show (not finite; not positive on a logarithmic axis) are left out. Local. Throws: `usage_error` for an
/// empty list of panels.
[[nodiscard]] picture draw_chart(
    std::string const& title, std::vector<chart_panel> const& panels, theme const& look);

} // namespace weft
