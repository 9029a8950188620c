/// Grids whose values are stored in other units.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// The same grid with each value times `slope` and `offset` more: as float32, or as float64 where those
/// stored have more than 16 bits and are not float32. Local. Cost: a copy of what is read.
[[nodiscard]] std::unique_ptr<grid_source> with_scaled_values(
    std::unique_ptr<grid_source> source, double slope, double offset);

} // namespace weft
