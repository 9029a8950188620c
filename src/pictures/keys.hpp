/// The keys of a picture: a bar for colours of numbers, a legend for colours of series.
#pragma once

#include <pictures/colour_map.hpp>
#include <pictures/sheet.hpp>
#include <pictures/theme.hpp>

#include <functional>
#include <string>
#include <vector>

namespace weft {

/// A range of numbers, and the map of its colours.
struct colour_range {
    colour_map map = colour_map::magnitude;
    double lo = 0;
    double hi = 1;

    [[nodiscard]] colour of(double value) const noexcept {
        return colour_at(map, hi > lo ? (value - lo) / (hi - lo) : 0.5);
    }
};

/// Draws an upright bar with round numbers on its right and the title along it. Returns its width, with the
/// title and the numbers.
double draw_colour_bar(sheet& on, spot const& corner, extent const& bar, colour_range const& range,
    std::string const& title, theme const& look);

/// Draws such a bar for any colours: `colour_of(share)`, from 0 at `lo` to 1 at `hi`.
double draw_colour_bar(sheet& on, spot const& corner, extent const& bar,
    std::function<colour(double share)> const& colour_of, double lo, double hi, std::string const& title,
    theme const& look);

struct legend_entry {
    std::string name;
    colour ink{};
    mark shape = mark::square;
    bool has_line = false;
    bool dashed = false;
};

/// Draws entries one below the other. Returns their size.
extent draw_legend(sheet& on, spot const& corner, std::vector<legend_entry> const& entries, theme const& look,
    double size = 16);

/// Draws entries side by side, in as many rows as the width requires. Returns the height.
double draw_legend_row(sheet& on, spot const& corner, double width, std::vector<legend_entry> const& entries,
    theme const& look, double size = 16);

} // namespace weft
