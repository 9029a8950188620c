/// Turns values at cells into values at the points between them.
#pragma once

#include <grids/grid_source.hpp>

#include <array>

namespace weft {

/// Returns a grid of the points between the cells of a source, for algorithms on points: each point has the
/// mean of the cells around it that have a value, or NaN if there are none. Cells without a value, or hidden,
/// are hidden cells. Values are float32 if they had at most 16 bits or were float32, else float64. Along an
/// axis that `closes`, the last cell is before the first. Returns the source itself if its values are at
/// points. Local. Cost: reads one more cell on each side of a box.
[[nodiscard]] std::unique_ptr<grid_source> with_values_at_points(
    std::unique_ptr<grid_source> source, std::array<bool, 3> const& closes = {});

} // namespace weft
