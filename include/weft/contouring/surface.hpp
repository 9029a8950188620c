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
    std::vector<std::array<double, 3>> places;     ///< of this rank's points
    std::vector<std::array<float, 3>> normals;     ///< of length 1, pointing outside; 0 if undefined
    std::vector<std::int32_t> values;              ///< the index of the value of each point, from 0
    block_distribution triangles;                  ///< The triangles of each rank.
    std::vector<std::array<global_id, 3>> corners; ///< counter-clockwise if seen from outside
    std::vector<named_values> of_points = {};      ///< fields at the points, linear between corners
    std::vector<named_values> of_triangles = {};   ///< fields of the cells in which triangles lie
};

/// The places and normals of all three corners of each triangle of this rank.
struct triangle_corners {
    std::vector<std::array<double, 3>> places; ///< Corners, three a triangle.
    std::vector<std::array<float, 3>> normals; ///< The normals at these corners.
};

/// Returns the places and normals of the corners of this rank's triangles, which other ranks may have.
/// Collective: yes. Blocks: until they have arrived. Cost: a `block_to_part` and two moves. Throws:
/// `usage_error` on all ranks for an invalid corner; `mpi_error`.
[[nodiscard]] triangle_corners corners_of(communicator const& comm, surface const& of);

} // namespace weft
