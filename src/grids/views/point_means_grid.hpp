/// Grids whose values at cells become values at the points between them.
#pragma once

#include <grids/grid_source.hpp>

#include <array>

namespace weft {

/// The grid of the points between the cells of a source, for whatever goes from value to value: each point
/// has the mean of the cells around it that have a value, and none where no cell has one. Cells without a
/// value, hidden ones among them, are hidden cells. Values are float32 where they were of at most 16 bits or
/// float32 themselves, else float64. Along an axis that `closes` the last cell lies before the first. The
/// source itself where values live at points. Local. Cost: reads a cell more on each side of a box.
[[nodiscard]] std::unique_ptr<grid_source> with_values_at_points(
    std::unique_ptr<grid_source> source, std::array<bool, 3> const& closes = {});

} // namespace weft
