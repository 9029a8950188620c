/// The meaning of the indices of an array.
#pragma once

#include <grids/grid_source.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft {

/// The indices of an array as NumPy and HDF5 have them: [step,] z, y, x [, component], where z, or z and y,
/// may be absent.
struct array_indices {
    bool has_step = false;
    bool has_components = false;
    std::size_t in_space = 0; ///< x, or y and x, or all three

    /// Returns the place of axis `d` (0 is x, 2 is z) among the indices.
    [[nodiscard]] std::size_t of_axis(std::size_t d) const noexcept {
        return (has_step ? 1 : 0) + in_space - 1 - d;
    }
};

/// Fills in the points and components of `shape` and numbers its axes. The first index is a step if the
/// options have one, and the last a component if they ask for vectors. Local. Throws: `usage_error` for a
/// wrong number of indices, with `where` before it; `io_error` for lengths of 0.
[[nodiscard]] array_indices indices_of(std::span<std::int64_t const> lengths,
    grid_file_options const& options, std::string const& where, grid_shape& shape);

} // namespace weft
