/// Meshes of cells on all ranks.
#pragma once

#include <weft/contouring/cell_kind.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/numbering.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// Values of this rank's points, cells or triangles, `components` for each, one after the other.
struct named_values {
    std::string name;           ///< The name of the field in files.
    int components = 1;         ///< Values of each point or cell.
    std::vector<double> values; ///< `components` for each point or cell of this rank.

    friend bool operator==(named_values const&, named_values const&) = default;
};

/// This rank's blocks of a mesh. All ranks have the same fields, in the same order.
struct mesh {
    block_distribution points;                      ///< The ids of points that each rank has.
    std::vector<std::array<double, 3>> places = {}; ///< of this rank's points
    block_distribution cells;                       ///< The ids of cells that each rank has.
    std::vector<cell_kind> kinds = {};              ///< of this rank's cells
    std::vector<global_id> corners = {};            ///< of this rank's cells, end to end
    std::vector<named_values> of_points = {};       ///< Fields with values at points.
    std::vector<named_values> of_cells = {};        ///< Fields with values at cells.
};

/// Throws `usage_error` on all ranks for arrays of a block that do not match, an invalid corner, a point
/// whose coordinates are not below 1e100. Collective: yes. Blocks: until all ranks have called. Cost: one
/// pass, a small all-reduce.
void check(communicator const& comm, mesh const& of);

/// Returns the mesh with one point for all points of the same number, at the index of that number, with the
/// place and the values of the first one. Collective: yes. Blocks: until all ranks are done. Cost: a
/// `part_to_block` of points and a `block_to_part` of corners. Throws: as `check`; `usage_error` on all ranks
/// where there is not a number for each point.
[[nodiscard]] mesh with_points_joined(communicator const& comm, mesh of, global_numbers const& numbers);

/// Returns the mesh with one point for all points at most `tolerance` apart, or connected by a chain of such
/// points: sheets that lie on each other are connected. A point has the values of the first one. Collective:
/// yes. Blocks: until all ranks are done. Cost: `number_points`, a `part_to_block` of points and a
/// `block_to_part` of corners. Order: points along Hilbert's curve. Throws: as `check` and `number_points`.
[[nodiscard]] mesh with_points_merged(communicator const& comm, mesh of, double tolerance);

} // namespace weft
