/// Cells that a plane does not cut but touches along a face: those at the lower end of what there is.
/// Private.
#pragma once

#include <weft/contouring/contour.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace weft::contouring {

/// Points on a plane count as in front of it, so a face on the plane is cut from the cell behind. Where there
/// is none, the cell in front is to have it: these are marked here. `mine`: distances from the plane.
/// Returns a mark a cell for each box, or no marks for a box without such cells. Collective: yes. Cost: a
/// pass over the distances, a `part_to_block` of the faces on the plane.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> touched_cells(
    communicator const& comm, grid_lines const& grid, std::span<grid_values<double> const> mine);

/// The same of this rank's cells of a mesh; `distances`: of their corners, end to end.
[[nodiscard]] std::vector<std::uint8_t> touched_cells(
    communicator const& comm, mesh const& of, std::span<double const> distances);

/// A corner on the plane as the kernel sees it in cells that are marked: behind, by less than can be seen.
constexpr double just_behind = -std::numeric_limits<double>::denorm_min();

/// Contours at 0 of distances from a plane, with the cells that it touches. Otherwise as `contour`.
[[nodiscard]] contour_result contour_of_plane(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<double> const> mine, contour_options const& options);
[[nodiscard]] contour_result contour_of_plane(communicator const& comm, mesh const& of,
    std::span<double const> distances, contour_options const& options);

} // namespace weft::contouring
