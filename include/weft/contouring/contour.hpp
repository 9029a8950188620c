/// Surfaces on which a field has a given value.
#pragma once

#include <weft/blocks/box.hpp>
#include <weft/blocks/placement.hpp>
#include <weft/contouring/mesh.hpp>
#include <weft/contouring/surface.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/value_bound.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The rule by which active cells, which a surface passes through, move to ranks with less work.
enum class cell_balance : std::uint8_t {
    automatic, ///< Active cells move if a rank has more than 1.1 times the mean of all ranks.
    always,    ///< Active cells are distributed evenly in every call.
    never      ///< Active cells stay on their ranks, even if some ranks have more work.
};

/// Options of `contour`, equal on all ranks.
struct contour_options {
    /// The value of the field on each surface.
    std::vector<value_bound> values;
    /// The rule by which active cells move to ranks with less work.
    cell_balance balance = cell_balance::automatic;
    /// A function that is called after each phase, with its name: find, balance, kernel, number. The function
    /// may differ between ranks; all ranks throw its errors at the end.
    std::function<void(std::string_view)> lap = {};
};

/// Counts of one surface, or of several together.
struct contour_counts {
    std::int64_t active_cells = 0; ///< Cells that the surface passes through.
    std::int64_t points = 0;       ///< Distinct corners of triangles.
    std::int64_t triangles = 0;    ///< Triangles of the surface.
    double area = 0;               ///< The area, in square units of the axes.
    std::int64_t components = 0;   ///< Connected components: triangles that share an edge are connected.

    friend bool operator==(contour_counts const&, contour_counts const&) = default;
};

/// The surfaces of all values of a call of `contour`, with their counts.
struct contour_result {
    surface made;                          ///< This rank's triangles of all surfaces.
    std::vector<contour_counts> of_values; ///< The counts of the surface of each value.
    /// The imbalance of the active cells before any cell moved: their number on the busiest rank divided by
    /// the mean of all ranks, minus 1.
    double imbalance_before = 0;
    double imbalance_after = 0; ///< The imbalance of the active cells after they have moved.
};

/// A grid of points with straight axes, equal on all ranks. An axis without coordinates has the coordinates
/// 0, 1, 2, ...
struct grid_lines {
    std::array<std::int64_t, 3> points{1, 1, 1};  ///< The number of points along x, y and z.
    std::array<std::vector<double>, 3> axes = {}; ///< Coordinates along each axis. Default: 0, 1, 2, ...
    /// The value that marks missing data; values that are not finite are always missing. A cell is left out
    /// if the value at a corner is missing.
    std::optional<double> missing = {};
    std::vector<std::string> carried = {};          ///< The names of further fields at the points.
    placement place = {};                           ///< The placement of the axes in space.
    std::vector<std::string> carried_of_cells = {}; ///< The names of further fields at the cells.
    /// True if the values are at the cells, for slices and thresholds. Contours need values at points.
    bool values_of_cells = false;
};

/// A box of a grid with the values of its points, with x running fastest. The cells between the points of the
/// box belong to this rank; each cell of the grid belongs to at most one box.
template <class T>
struct grid_values {
    box<std::int64_t> points; ///< The points of the box.
    /// The values of the box's points, or of its cells if `grid_lines::values_of_cells` is true.
    std::span<T const> values;
    /// Further fields to interpolate on the surface, one span for each name in `grid_lines::carried`.
    std::vector<std::span<double const>> carried = {};
    /// Further fields of the cells, one span for each name in `grid_lines::carried_of_cells`.
    std::vector<std::span<double const>> carried_of_cells = {};
    /// A mark for each cell: a cell whose mark is not 0 is left out. Default: all cells are visible.
    std::span<std::uint8_t const> hidden = {};
};

/// Finds the surfaces on which a grid has the given values; values are interpolated linearly along its edges.
/// A point is inside a surface if its value is at least that of the surface. Each rank finds its active
/// cells, through which a surface passes. Active cells are distributed over all ranks by `options.balance`
/// and cut by marching cubes; each point of a surface belongs to one edge of the grid. If the four corners of
/// a face are alternately inside and outside, the surface separates the two inside corners, in both cells
/// that share the face. Since the two cells of a face treat the face alike, surfaces end only at the border
/// of the grid and at cells that are left out. Points of surfaces are in the order of their edges, and
/// triangles in the order of their cells.
///
/// `T` may be any integer of 8 to 64 bits, float or double. Collective: yes. Blocks: until all ranks are
/// done. Cost: one pass over the values; 72 bytes for each active cell that moves, more with further fields;
/// a `balance_blocks` and a `part_to_block` of active cells, and of points; finding the connected components
/// of the surfaces. Order: the result has the same bits at any number of ranks if the boxes are layers of the
/// grid in the order of ranks, or if `options.balance` has moved active cells to other ranks. Throws:
/// `usage_error` on all ranks for a value that is not finite, an empty list of values, an invalid box, or a
/// wrong number of values; `mpi_error`. Source: section 3.3 of the paper on data movement, HPDC 2024;
/// Lorensen, Cline, SIGGRAPH 1987.
template <class T>
[[nodiscard]] contour_result contour(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<T> const> mine, contour_options const& options);

/// Finds the surfaces in a mesh; the field is interpolated linearly along the edges of cells. `field` has the
/// values of this rank's points; cells with a corner whose value is not finite are left out. The surface has
/// all fields of the mesh. A point of the surface belongs to an edge between two points of the mesh, so the
/// pieces of surface in two cells are connected if the cells have corners with the same ids;
/// `with_points_merged` merges points of a mesh at the same place. If a cell lists a point as two of its
/// corners, triangles without area may result, and are left out.
///
/// Cost: messages with the values at all corners of cells, with 72 bytes for each active cell that moves, and
/// with the places and fields of the corners of active cells. Throws: as `contour` of a grid, and as `check`
/// of meshes; `usage_error` on all ranks for a mesh of more than 3e9 points (fewer if there are several
/// values), since pairs of points are numbered in 63 bits.
[[nodiscard]] contour_result contour(
    communicator const& comm, mesh const& of, std::span<double const> field, contour_options const& options);

} // namespace weft
