/// Surfaces on which a field has a value.
#pragma once

#include <weft/blocks/box.hpp>
#include <weft/contouring/surface.hpp>
#include <weft/core/communicator.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace weft {

/// When active cells move to where there is less to do.
enum class cell_balance : std::uint8_t {
    automatic, ///< Where a rank would have more than 1.1 times its share.
    always,
    never
};

/// The same on all ranks.
struct contour_options {
    std::vector<double> values;
    cell_balance balance = cell_balance::automatic;
    /// Called after each phase, with its name: find, balance, kernel, number.
    std::function<void(std::string_view)> lap = {};
};

/// What was found for one value, or for all of them.
struct contour_counts {
    std::int64_t active_cells = 0;
    std::int64_t points = 0;
    std::int64_t triangles = 0;
    double area = 0;
    std::int64_t components = 0; ///< connected by edges of triangles

    friend bool operator==(contour_counts const&, contour_counts const&) = default;
};

struct contour_result {
    surface made;
    std::vector<contour_counts> of_values; ///< by value
    /// The active cells of the busiest rank over their mean, less 1: where they lay, and where the kernel
    /// ran.
    double imbalance_before = 0;
    double imbalance_after = 0;
};

/// A grid of points with straight axes, the same on all ranks. An axis without coordinates is 0, 1, 2, ...
struct grid_lines {
    std::array<std::int64_t, 3> points{1, 1, 1};
    std::array<std::vector<double>, 3> axes = {};
    /// The value that stands for none; those that are not finite always do. Cells without a value at a corner
    /// are left out.
    std::optional<double> missing = {};
};

/// A box of a grid with the values of its points, x fastest. The cells between them belong to this rank; each
/// cell of the grid belongs to one box at most.
template <class T>
struct grid_values {
    box<std::int64_t> points;
    std::span<T const> values;
};

/// Finds the surfaces on which the values of a grid, linear along its edges, are those that are wanted;
/// points of at least a value are inside. Active cells are found where they lie, dealt to all ranks in equal
/// numbers, and cut by marching cubes; a point belongs to an edge of the grid, and there is one of it. On a
/// face whose corners are inside and outside in turn, those inside are apart, on both its sides; so surfaces
/// end at the end of the grid and at missing values alone. Points are in the order of their edges, triangles
/// in that of their cells.
///
/// `T` may be any integer of 8 to 64 bits, float or double. Collective: yes. Blocks: until all ranks are
/// done. Cost: one pass over the values; 72 bytes for each active cell that moves; `balance_blocks` and
/// `part_to_block` of active cells and of points; components by contraction. Order: the same bits at any
/// number of ranks where cells lie in ascending order of ranks, or have moved. Throws: `usage_error` on all
/// ranks for a value that is not finite, no value, a box that is none or has not its number of values;
/// `mpi_error`. Source: section 3.3 of the paper on data movement, HPDC 2024; Lorensen, Cline, SIGGRAPH 1987.
template <class T>
[[nodiscard]] contour_result contour(communicator const& comm, grid_lines const& grid,
    std::span<grid_values<T> const> mine, contour_options const& options);

} // namespace weft
