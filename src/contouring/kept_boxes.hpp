/// The cells in boxes of a volume that a threshold keeps, numbered by their place. Private.
#pragma once

#include <contouring/value_range.hpp>

#include <labelling/box_labels.hpp>

#include <weft/contouring/contour.hpp>
#include <weft/core/ids.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::contouring {

/// A box of points; the kept cells between them, as runs along x; the components of these.
struct kept_box {
    box<std::int64_t> points;
    row_runs rows;                  ///< kept cells; the box of cells is smaller by one along each axis
    box_labels labels;              ///< components of cells that share corners
    std::vector<std::uint8_t> used; ///< a mark for each point: 1 if it is a corner of a kept cell
    std::size_t used_count = 0;

    [[nodiscard]] std::int64_t width() const noexcept { return points.hi[0] - points.lo[0]; }
    /// Returns the place of a point in an array of the points of the box.
    [[nodiscard]] std::size_t place_of(std::int64_t x, std::int64_t y, std::int64_t z) const noexcept {
        return static_cast<std::size_t>(
            ((z - points.lo[2]) * (points.hi[1] - points.lo[1]) + y - points.lo[1]) * width() + x -
            points.lo[0]);
    }
};

/// Calls `use(x, y, z, cell)` for each kept cell in the order of their places. `cell` is its place among the
/// cells of the box.
template <class Use>
void for_kept(kept_box const& of, Use&& use) {
    row_runs const& rows = of.rows;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run)
            for (std::int64_t x = rows.runs[run].begin; x < rows.runs[run].end; ++x)
                use(of.points.lo[0] + x, rows.y_of(row), rows.z_of(row),
                    row * static_cast<std::size_t>(rows.width()) + static_cast<std::size_t>(x));
}

/// Finds the kept cells. Local. Cost: a pass over the values; 2 bytes for each cell, one of which is freed.
template <class T>
[[nodiscard]] kept_box keep_cells(
    grid_lines const& grid, grid_values<T> const& part, value_range<T> const& range);

/// A corner of kept cells that other boxes share, and its component within its box.
struct shared_corner {
    global_id point;
    std::int64_t component; ///< number of the component in the box, from 0

    friend bool operator==(shared_corner const&, shared_corner const&) = default;
    friend auto operator<=>(shared_corner const&, shared_corner const&) = default;
};

/// Returns the corners of kept cells on the sides of a box, except on sides of the grid; ascending, each
/// once. Local. Cost: O(runs + corners on sides).
[[nodiscard]] std::vector<shared_corner> shared_corners(grid_lines const& grid, kept_box const& of);

} // namespace weft::contouring
