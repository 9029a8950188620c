/// Grids in XML files of VTK: .vti, .vtr, .vts.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Image data, rectilinear grids, and structured grids whose points lie on straight axes. Reads the file
/// whole. Throws: `io_error`; `usage_error` where no array fits, or Weft was built without VTK.
[[nodiscard]] std::unique_ptr<grid_source> open_vtk_grid(
    std::filesystem::path const& file, grid_file_options const& options);
/// The names of its arrays, those at points first; none for a file that only VTK itself can read. Local.
/// Throws: `io_error`.
[[nodiscard]] std::vector<std::string> fields_of_vtk_grid(std::filesystem::path const& file);

} // namespace weft
