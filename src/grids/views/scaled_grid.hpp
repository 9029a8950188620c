/// Grids with scaled values.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Returns a view of the grid with values times `slope` plus `offset`: as float64 if the stored values have
/// more than 16 bits and are not float32, else as float32. Local. Cost: a copy of the values read.
[[nodiscard]] std::unique_ptr<grid_source> with_scaled_values(
    std::unique_ptr<grid_source> source, double slope, double offset);

} // namespace weft
