/// Surfaces of triangles on all ranks.
#pragma once

#include <weft/contouring/mesh.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace weft {

/// This rank's blocks of a surface. The whole surface does not depend on the number of ranks.
struct surface {
    block_distribution points;                     ///< The ids of points that each rank has.
    std::vector<std::array<double, 3>> places;     ///< The places of this rank's points.
    std::vector<std::array<float, 3>> normals;     ///< Normals of length 1, to the outside; 0 if undefined.
    std::vector<std::int32_t> values;              ///< For each point, the index of its surface's value.
    block_distribution triangles;                  ///< The triangles of each rank.
    std::vector<std::array<global_id, 3>> corners; ///< The corners, counter-clockwise seen from outside.
    std::vector<named_values> of_points = {};      ///< Fields at the points, which are linear in between.
    std::vector<named_values> of_triangles = {};   ///< Fields of the cells in which triangles lie.
};

/// The places and normals of all three corners of each triangle of this rank.
struct triangle_corners {
    std::vector<std::array<double, 3>> places; ///< The places of corners, three for each triangle.
    std::vector<std::array<float, 3>> normals; ///< The normals at these corners.
};

/// Returns the places and normals of the corners of this rank's triangles; other ranks may own them.
/// Collective: yes. Blocks: until they are here. Cost: a `block_to_part` and two moves. Throws:
/// `usage_error` on all ranks for an invalid corner; `mpi_error`.
[[nodiscard]] triangle_corners corners_of(communicator const& comm, surface const& of);

} // namespace weft
