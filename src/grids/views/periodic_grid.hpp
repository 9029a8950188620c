/// Grids whose axes close.
#pragma once

#include <grids/grid_source.hpp>

#include <array>

namespace weft {

/// The same grid with one point more along each axis that has a period (0: none): the first one again, a
/// period further. A grid that has this point already stays as it is. Axes ascend. Local. Cost: a copy of the
/// parts that are read at the end of an axis. Throws: `usage_error` for an axis of one point, for one that is
/// longer than its period, and for one whose ends lie further from each other than two points elsewhere.
[[nodiscard]] std::unique_ptr<grid_source> with_periodic_axes(
    std::unique_ptr<grid_source> source, std::array<double, 3> const& periods);

} // namespace weft
