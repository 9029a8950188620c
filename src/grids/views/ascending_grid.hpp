/// Grids whose axes ascend.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Returns a view of the grid in which descending axes (latitudes from the north, pressures) are reversed;
/// the source itself if there are none. Local. Cost: a copy of the values read.
[[nodiscard]] std::unique_ptr<grid_source> with_ascending_axes(std::unique_ptr<grid_source> source);

} // namespace weft
