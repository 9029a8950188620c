/// Grids with periodic axes.
#pragma once

#include <grids/grid_source.hpp>

#include <array>

namespace weft {

/// Returns a view of the grid with one more point along each axis with a period (0: none): the first point,
/// one period further. A grid that has this point already is unchanged. Axes must ascend. Local. Cost: a copy
/// of values read at the end of an axis. Throws: `usage_error` for an axis of one point, for one longer than
/// its period, and if the gap to the next period is wider than that between other points.
[[nodiscard]] std::unique_ptr<grid_source> with_periodic_axes(
    std::unique_ptr<grid_source> source, std::array<double, 3> const& periods);

} // namespace weft
