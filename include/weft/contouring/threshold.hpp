/// The cells whose values lie in a range.
#pragma once

#include <weft/contouring/contour.hpp>
#include <weft/contouring/mesh.hpp>
#include <weft/core/value_bound.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace weft {

/// The number of a cell's corners whose values must be in the range.
enum class corner_rule : std::uint8_t {
    all, ///< A cell is kept if the values at all corners are in the range.
    any  ///< A cell is kept if the value at one corner or more is in the range.
};

/// Options of `threshold`, equal on all ranks.
struct threshold_options {
    value_bound least = -std::numeric_limits<double>::infinity(); ///< Smaller values are out of range.
    value_bound most = std::numeric_limits<double>::infinity();   ///< Larger values are out of range.
    /// The rule by which values at a cell's corners decide if the cell is kept.
    corner_rule corners = corner_rule::all;
    std::function<void(std::string_view)> lap = {}; ///< Called after each phase, as `contour_options::lap`.
    /// If false, `threshold` of a volume leaves `threshold_result::kept` empty, which saves nine tenths of
    /// the memory.
    bool makes_mesh = true;
};

/// Cells that `threshold` kept, and their counts over all ranks.
struct threshold_result {
    std::int64_t cells = 0;  ///< the number of cells that are kept
    std::int64_t points = 0; ///< the number of points that are corners of kept cells
    /// The mesh of the kept cells and their corners, with an equal share of the cells on each rank.
    mesh kept;
    double volume = 0;           ///< The volume of the cells that are kept.
    std::int64_t components = 0; ///< Connected components: cells that share a corner are connected.
    /// The imbalance before kept cells were moved to other ranks: the kept cells of the busiest rank divided
    /// by the mean of all ranks, minus 1.
    double imbalance_before = 0;
};

/// Keeps the cells of a mesh whose values are at least `least` and at most `most`; a value that is not finite
/// lies outside of every range. `values` has a value for each of this rank's points, or for each of its cells
/// if `of_cells` is true. The kept cells and points keep their order and their fields.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: for values at points, a message with the values
/// of all corners of cells; kept cells move by `block_to_block`, their points by `part_to_block`. Order: the
/// result has the same bits at any number of ranks. Throws: as `check` of meshes; `usage_error` on all ranks
/// for an invalid range, and unless there is one value for each point or cell.
[[nodiscard]] threshold_result threshold(communicator const& comm, mesh const& of,
    std::span<double const> values, bool of_cells, threshold_options const& options);

/// Keeps the cells of a volume whose values are in the range, as hexahedra. The resulting mesh has a field
/// `name` with the values of the volume: at points or at cells, as in the volume. The fields that `grid`
/// carries follow. Hidden cells are left out. `T` may be any integer of 8 to 64 bits, float or double. All
/// else is the same as for `threshold` of a mesh.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: passes over the values; memory of 2 bytes per
/// cell of the volume and 20 bytes per run of kept cells along x; finding the connected components of runs,
/// also across the borders of boxes. Making the mesh takes 64 bytes per kept cell and 50 bytes per point, in
/// addition to the mesh itself. Throws: as `threshold` of a mesh; `usage_error` on all ranks for an invalid
/// box, or a wrong number of values.
template <class T>
[[nodiscard]] threshold_result threshold(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<T> const> mine, std::string const& name, threshold_options const& options);

/// Does the same as `threshold<double>`: keeps the cells of a volume.
[[nodiscard]] inline threshold_result threshold(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<double> const> mine, std::string const& name, threshold_options const& options) {
    return threshold<double>(comm, grid, mine, name, options);
}

/// Keeps cells of a volume like `threshold`, and writes them to a file, with the same bytes as `write_mesh`.
/// The mesh is never whole in memory, and `kept` stays empty. `options.lap` is called before the file is
/// written.
///
/// Collective: yes. Blocks: until all ranks have written. Cost: as `threshold` without a mesh, and two
/// exchanges of the runs of corners along x, with 24 bytes per run; the file is written in pieces. Order: the
/// bytes do not depend on the number of ranks if the boxes are layers of the grid in the order of ranks.
/// Throws: as `threshold`; `io_error` on all ranks.
template <class T>
threshold_result write_threshold(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<T> const> mine, std::string const& name, threshold_options const& options,
    std::string const& file);

/// Does the same as `write_threshold<double>`: keeps the cells of a volume and writes them to a file.
inline threshold_result write_threshold(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<double> const> mine, std::string const& name, threshold_options const& options,
    std::string const& file) {
    return write_threshold<double>(comm, grid, mine, name, options, file);
}

} // namespace weft
