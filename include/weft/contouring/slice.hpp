/// Slices of volumes and meshes.
#pragma once

#include <weft/contouring/contour.hpp>

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace weft {

/// A plane, given by one of its points and by a vector at right angles to it.
struct plane {
    std::array<double, 3> through{};       ///< A point of the plane.
    std::array<double, 3> normal{0, 0, 1}; ///< A vector at right angles to the plane, of any length but 0.
};

/// Options of `slice`, equal on all ranks.
struct slice_options {
    /// The rule by which cells cut by the plane move to ranks with less work.
    cell_balance balance = cell_balance::automatic;
    std::function<void(std::string_view)> lap = {}; ///< Called after each phase, as `contour_options::lap`.
};

/// Cuts a mesh by a plane. The surface has all fields of the mesh. Points of the mesh on the plane count as
/// points on the side to which the normal points. Faces of cells that lie on the plane are part of the slice,
/// also at both ends of the mesh. Collective: yes. Blocks: until all ranks are done. Cost, Order: as
/// `contour` of a mesh for a single value. Throws: as `contour` of a mesh; `usage_error` on all ranks for an
/// invalid plane.
[[nodiscard]] contour_result slice(
    communicator const& comm, mesh const& of, plane const& by, slice_options const& options = {});

/// Cuts a volume by a plane. The surface has a field `name` with the values of the volume: at points, or at
/// triangles if the volume has values at cells. The fields that `grid` carries follow. Cells are left out if
/// they are hidden, or if their value or the value at a corner is missing. If the grid has one layer of
/// points, the slice in that plane is the layer itself. All else is the same as for `slice` of a mesh.
[[nodiscard]] contour_result slice(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<double> const> mine, std::string const& name, plane const& by,
    slice_options const& options = {});

} // namespace weft
