/// The cells of boxes of a volume that a threshold keeps, numbered by their place. Private.
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

/// A box of points, the kept ones of the cells between them as runs along x, and their components.
struct kept_box {
    box<std::int64_t> points;
    row_runs rows;                  ///< cells; a box of these is one less along each axis
    box_labels labels;              ///< of cells that share corners
    std::vector<std::uint8_t> used; ///< a mark a point: whether it is a corner of a kept cell
    std::size_t used_count = 0;

    [[nodiscard]] std::int64_t width() const noexcept { return points.hi[0] - points.lo[0]; }
    /// The place of a point of the box in an array of its points.
    [[nodiscard]] std::size_t place_of(std::int64_t x, std::int64_t y, std::int64_t z) const noexcept {
        return static_cast<std::size_t>(
            ((z - points.lo[2]) * (points.hi[1] - points.lo[1]) + y - points.lo[1]) * width() + x -
            points.lo[0]);
    }
};

/// Calls `use(x, y, z, cell)` for each kept cell in the order of their places; `cell`: its place among the
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

/// Local. Cost: a pass over the values; 2 bytes a cell, one of which is freed.
template <class T>
[[nodiscard]] kept_box keep_cells(
    grid_lines const& grid, grid_values<T> const& part, value_range<T> const& range);

/// A corner of kept cells that other boxes have too, and the component of its box that it belongs to.
struct shared_corner {
    global_id point;
    std::int64_t component; ///< from 0, of those of the box

    friend bool operator==(shared_corner const&, shared_corner const&) = default;
    friend auto operator<=>(shared_corner const&, shared_corner const&) = default;
};

/// The corners of kept cells on those sides of a box that are not sides of the grid, ascending, each once.
/// Local. Cost: O(runs + corners on sides).
[[nodiscard]] std::vector<shared_corner> shared_corners(grid_lines const& grid, kept_box const& of);

} // namespace weft::contouring
