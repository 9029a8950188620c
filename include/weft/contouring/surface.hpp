/// Surfaces of triangles on all ranks.
#pragma once

#include <weft/contouring/mesh.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace weft {

/// A surface of triangles that is distributed over all ranks: this rank's points and triangles. The whole
/// surface does not depend on the number of ranks.
struct surface {
    block_distribution points;                 ///< The range of ids of points on each rank.
    std::vector<std::array<double, 3>> places; ///< The coordinates of this rank's points.
    /// Normals of length 1 at points, to the outside; 0 if undefined.
    std::vector<std::array<float, 3>> normals;
    /// For each point, the index of its surface's value in `contour_options::values`.
    std::vector<std::int32_t> values;
    block_distribution triangles; ///< The range of ids of triangles on each rank.
    /// The ids of the corners of triangles, counter-clockwise seen from outside.
    std::vector<std::array<global_id, 3>> corners;
    std::vector<named_values> of_points = {}; ///< Fields with values at points, linear in between.
    /// Fields of triangles: the values of the cells in which they lie.
    std::vector<named_values> of_triangles = {};
};

/// The places and normals of all three corners of each triangle of this rank.
struct triangle_corners {
    std::vector<std::array<double, 3>> places; ///< The places of corners, three for each triangle.
    std::vector<std::array<float, 3>> normals; ///< The normals at corners, three for each triangle.
};

/// Returns the places and normals of the corners of this rank's triangles; the corners may be points of other
/// ranks. Collective: yes. Blocks: until this rank has all places and normals. Cost: a `block_to_part` with
/// two exchanges. Throws: `usage_error` on all ranks for an invalid corner; `mpi_error`.
[[nodiscard]] triangle_corners corners_of(communicator const& comm, surface const& of);

} // namespace weft
