/// Meshes of cells that are distributed over all ranks.
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

/// A field: `components` values for each of this rank's points, cells or triangles, one after the other.
struct named_values {
    std::string name;           ///< The name of the field in files.
    int components = 1;         ///< The number of values of each point or cell.
    std::vector<double> values; ///< The values: `components` for each point or cell of this rank.

    friend bool operator==(named_values const&, named_values const&) = default;
};

/// A mesh that is distributed over all ranks: this rank's points and cells. All ranks have the same fields,
/// in the same order.
struct mesh {
    block_distribution points;                      ///< The range of ids of points on each rank.
    std::vector<std::array<double, 3>> places = {}; ///< The coordinates of this rank's points.
    block_distribution cells;                       ///< The range of ids of cells on each rank.
    std::vector<cell_kind> kinds = {};              ///< The shapes of this rank's cells.
    /// The ids of the corners of this rank's cells, cell by cell.
    std::vector<global_id> corners = {};
    std::vector<named_values> of_points = {}; ///< Fields with values at points.
    std::vector<named_values> of_cells = {};  ///< Fields with values at cells.
};

/// Throws `usage_error` on all ranks for arrays whose lengths do not match, for an invalid corner, and for a
/// coordinate of 1e100 or more. Collective: yes. Blocks: until all ranks have called. Cost: one pass over the
/// arrays, and a small all-reduce.
void check(communicator const& comm, mesh const& of);

/// Returns the mesh in which all points with the same number are one point. The number becomes the id of the
/// joined point, which has the place and the values of the point with the lowest id. Collective: yes. Blocks:
/// until all ranks are done. Cost: a `part_to_block` of points and a `block_to_part` of corners. Throws: as
/// `check`; `usage_error` on all ranks unless there is one number for each point.
[[nodiscard]] mesh with_points_joined(communicator const& comm, mesh of, global_numbers const& numbers);

/// Returns the mesh in which all points at most `tolerance` apart, or connected by a chain of such points,
/// are one point. For example, sheets of cells that lie on each other become connected. The joined point has
/// the place and the values of the point with the lowest id. Collective: yes. Blocks: until all ranks are
/// done. Cost: `number_points`, a `part_to_block` of points and a `block_to_part` of corners. Order: the
/// joined points are numbered along Hilbert's curve. Throws: as `check` and `number_points`.
[[nodiscard]] mesh with_points_merged(communicator const& comm, mesh of, double tolerance);

} // namespace weft
