/// Grids in XML files of VTK: .vti, .vtr, .vts.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Opens image data, rectilinear grids, and structured grids with straight axes. Reads the file whole.
/// Throws: `io_error`; `usage_error` if no array fits, or Weft is built without VTK.
[[nodiscard]] std::unique_ptr<grid_source> open_vtk_grid(
    std::filesystem::path const& file, grid_file_options const& options);
/// Returns the names of its arrays, those at points first; empty for a file that only VTK can read. Local.
/// Throws: `io_error`.
[[nodiscard]] std::vector<std::string> fields_of_vtk_grid(std::filesystem::path const& file);

} // namespace weft
