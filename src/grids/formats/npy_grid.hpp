/// Arrays of NumPy as grids.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Opens an array with up to three indices, z, y and x; see `indices_of`. Reads boxes, for either index order
/// and byte order. Throws: `io_error`; `usage_error` for an array that is not a grid.
[[nodiscard]] std::unique_ptr<grid_source> open_npy_grid(
    std::filesystem::path const& file, grid_file_options const& options);

} // namespace weft
