/// Reads image data, rectilinear and structured grids in XML files of VTK in boxes.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Opens a .vti, .vtr or .vts: values as text, base64 or raw, inline or appended, compressed in blocks or
/// not, in one piece or several. Each rank decompresses only the blocks that it needs. Returns null for files
/// with other features (bits, time steps, levels of ghosts), which VTK itself must read. `check_vtk_xml` must
/// have passed. Local. Throws: `io_error`; `usage_error` if no array fits.
[[nodiscard]] std::unique_ptr<grid_source> open_vtk_xml_grid(
    std::filesystem::path const& file, grid_file_options const& options);
/// Returns the names of its arrays, those at points first; empty for a file that VTK must read. Local.
/// Throws: `io_error`.
[[nodiscard]] std::vector<std::string> fields_of_vtk_xml(std::filesystem::path const& file);

} // namespace weft
