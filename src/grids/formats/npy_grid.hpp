/// Arrays of NumPy as grids.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// An array of up to three indices, z, y and x; see `indices_of`. Box by box, in either order and byte order.
/// Throws: `io_error`; `usage_error` for an array that is no grid.
[[nodiscard]] std::unique_ptr<grid_source> open_npy_grid(
    std::filesystem::path const& file, grid_file_options const& options);

} // namespace weft
