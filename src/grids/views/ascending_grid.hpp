/// Grids whose axes ascend.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// The same grid with every axis that descends turned round, and its values with it: latitudes from the
/// north, heights as pressures. The source itself where none does. Local. Cost: a copy of what is read.
[[nodiscard]] std::unique_ptr<grid_source> with_ascending_axes(std::unique_ptr<grid_source> source);

} // namespace weft
