/// Cells that a plane touches along a face without cutting them, at the lower end of the domain.
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

/// Points on a plane count as in front of it, so a face on the plane is cut from the cell behind. If there is
/// no such cell, the cell in front must make the face; this function marks these cells. `mine`: distances
/// from the plane. Returns a mark for each cell of each box, or no marks for a box without such cells.
/// Collective: yes. Cost: a pass over the distances, a `part_to_block` of the faces on the plane.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> touched_cells(
    communicator const& comm, grid_lines const& grid, std::span<grid_values<double> const> mine);

/// Does so for this rank's cells of a mesh; `distances`: of the corners of all cells, one after the other.
[[nodiscard]] std::vector<std::uint8_t> touched_cells(
    communicator const& comm, mesh const& of, std::span<double const> distances);

/// The distance of a corner on the plane in a marked cell: behind the plane, by the smallest number.
constexpr double just_behind = -std::numeric_limits<double>::denorm_min();

/// Makes contours at 0 of distances from a plane, with the cells that it touches. Otherwise as `contour`.
[[nodiscard]] contour_result contour_of_plane(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<double> const> mine, contour_options const& options);
[[nodiscard]] contour_result contour_of_plane(communicator const& comm, mesh const& of,
    std::span<double const> distances, contour_options const& options);

} // namespace weft::contouring
