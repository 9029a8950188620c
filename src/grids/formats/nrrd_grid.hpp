/// Grids in NRRD files.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Values of up to three dimensions; a first one that is no axis of space counts the components of a point.
/// Raw values, and those packed by gzip, are read in boxes; others whole. Throws: `io_error`.
[[nodiscard]] std::unique_ptr<grid_source> open_nrrd_grid(
    std::filesystem::path const& file, grid_file_options const& none = {});

} // namespace weft
