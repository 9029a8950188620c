/// The cells of a grid, dealt to ranks by rows.
#pragma once

#include <grids/grid_source.hpp>

#include <weft/blocks/box.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace weft {

/// The boxes out of a grid of `points` whose cells are those of `part` out of `parts`, each with as many rows
/// of cells along x, or one more: at most three, in the order of the cells. Along an axis of one point cells
/// are flat. Local.
[[nodiscard]] std::vector<box<std::int64_t>> boxes_of_cell_rows(
    std::array<std::int64_t, 3> const& points, int part, int parts);

} // namespace weft
