/// Hidden points and cells of VTK's structured grids.
#pragma once

#include <grids/views/masked_grid.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weft {

/// VTK's array of hidden points and cells; it is never used as a field unless named.
inline constexpr std::string_view name_of_ghosts = "vtkGhostType";

/// The marks of all points and of all cells in a file; empty if absent.
struct vtk_ghosts {
    std::vector<std::uint8_t> of_points;
    std::vector<std::uint8_t> of_cells;
};

/// Returns the mask of a grid of `points`. Hidden are cells that are duplicate (1), refined (8), exterior
/// (16), hidden (32), or have a hidden point; and points that are hidden (2), or belong to hidden cells
/// only, or, if each is to be counted once, are duplicate (1). Local. Source: vtkDataSetAttributes.h of VTK
/// 9.
[[nodiscard]] grid_mask mask_of(vtk_ghosts const& ghosts, std::array<std::int64_t, 3> const& points,
    value_place values_at, bool each_once);

} // namespace weft
