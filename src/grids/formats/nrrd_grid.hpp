/// Grids in NRRD files.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Opens values of up to three dimensions; a first axis outside of space has the components of a point. Raw
/// and gzipped values are read in boxes, others whole. Throws: `io_error`.
[[nodiscard]] std::unique_ptr<grid_source> open_nrrd_grid(
    std::filesystem::path const& file, grid_file_options const& none = {});

} // namespace weft
