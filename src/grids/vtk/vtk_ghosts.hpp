/// Points and cells of VTK's structured grids that are not to be seen.
#pragma once

#include <grids/views/masked_grid.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weft {

/// The array of VTK that says so; it is never taken as a field that was not named.
inline constexpr std::string_view name_of_ghosts = "vtkGhostType";

/// The marks of all points and of all cells of a file, as it has them; empty where it has none.
struct vtk_ghosts {
    std::vector<std::uint8_t> of_points;
    std::vector<std::uint8_t> of_cells;
};

/// Returns the mask of a grid of `points`. Cells are hidden where they are duplicate (1), refined (8),
/// exterior (16), hidden (32), or have a hidden point; points where they are hidden (2) or have hidden cells
/// alone, and, if each is to be counted once, where they are duplicate (1). Local. Source:
/// vtkDataSetAttributes.h of VTK 9.
[[nodiscard]] grid_mask mask_of(vtk_ghosts const& ghosts, std::array<std::int64_t, 3> const& points,
    value_place values_at, bool each_once);

} // namespace weft
