/// The foreground of a box of voxels as runs along x.
#pragma once

#include <grids/grid_source.hpp>

#include <weft/blocks/box.hpp>
#include <weft/core/value_bound.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft {

/// The rule for the foreground: values of at least `threshold` and less than `below`, compared as
/// `value_bound` describes. NaN and `missing` are always background.
struct foreground_rule {
    value_bound threshold = 0;
    std::optional<double> missing = {};
    std::optional<value_bound> below = {};
};

/// Runs of foreground, row by row: y runs faster than z. They begin and end at places counted from the lower
/// end of the box. Runs of a row do not touch.
struct row_runs {
    struct run {
        std::int32_t begin;
        std::int32_t end; ///< one past its last voxel
    };

    box<std::int64_t> bounds{3, {}, {}};
    std::vector<run> runs;
    std::vector<std::size_t> first; ///< for each row, the place of its first run; then the number of runs

    [[nodiscard]] std::int64_t width() const noexcept { return bounds.hi[0] - bounds.lo[0]; }
    [[nodiscard]] std::int64_t height() const noexcept { return bounds.hi[1] - bounds.lo[1]; }
    [[nodiscard]] std::int64_t depth() const noexcept { return bounds.hi[2] - bounds.lo[2]; }
    [[nodiscard]] std::size_t rows() const noexcept { return first.size() - 1; }
    /// Returns the row at a y and a z, which are coordinates of the whole grid.
    [[nodiscard]] std::size_t row_at(std::int64_t y, std::int64_t z) const noexcept {
        return static_cast<std::size_t>((z - bounds.lo[2]) * height() + (y - bounds.lo[1]));
    }
    [[nodiscard]] std::int64_t y_of(std::size_t row) const noexcept {
        return bounds.lo[1] + static_cast<std::int64_t>(row) % height();
    }
    [[nodiscard]] std::int64_t z_of(std::size_t row) const noexcept {
        return bounds.lo[2] + static_cast<std::int64_t>(row) / height();
    }
};

/// Finds the runs of a box from its values, x fastest. Local. Cost: one pass over the values. Throws:
/// `usage_error` for a box of 2^31 voxels or more along x, or with 2^32 - 1 runs or more.
[[nodiscard]] row_runs find_runs(std::span<std::byte const> values, value_type type,
    box<std::int64_t> const& bounds, foreground_rule const& rule);

/// Returns the number of voxels in the runs. Local, O(runs).
[[nodiscard]] std::int64_t voxels_of(row_runs const& rows) noexcept;

} // namespace weft
