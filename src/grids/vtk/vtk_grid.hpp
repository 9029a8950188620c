/// Grids in files of VTK, through VTK's own readers, where Weft was built with VTK.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Whether VTK reads files whose names end so: .vtk .vti .vtr .vts.
[[nodiscard]] bool is_vtk_suffix(std::string const& suffix) noexcept;

/// Image data, rectilinear grids, and structured grids whose points lie on straight axes. Reads the file
/// whole. Throws: `io_error`; `usage_error` where no array fits, or Weft was built without VTK.
[[nodiscard]] std::unique_ptr<grid_source> open_vtk_grid(
    std::filesystem::path const& file, grid_file_options const& options);

} // namespace weft
