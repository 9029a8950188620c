/// The cells of a grid, dealt to ranks by rows.
#pragma once

#include <grids/grid_source.hpp>

#include <weft/blocks/box.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The boxes of points whose cells are those of `part` out of `parts`, each with as many rows of cells along
/// x, or one more: at most three, in the order of the cells. A grid that is one point thick has no cells.
/// Local.
[[nodiscard]] std::vector<box<std::int64_t>> boxes_of_cell_rows(grid_shape const& shape, int part, int parts);

} // namespace weft
