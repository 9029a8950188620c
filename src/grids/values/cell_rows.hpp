/// Distributes the cells of a grid over ranks, by rows.
#pragma once

#include <grids/grid_source.hpp>

#include <weft/blocks/box.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace weft {

/// Returns the boxes of points with the cells of `part` out of `parts`; parts have equal numbers of rows of
/// cells along x, or one more. There are at most three boxes, in the order of the cells. Along an axis of one
/// point, cells are flat. Local.
[[nodiscard]] std::vector<box<std::int64_t>> boxes_of_cell_rows(
    std::array<std::int64_t, 3> const& points, int part, int parts);

} // namespace weft
