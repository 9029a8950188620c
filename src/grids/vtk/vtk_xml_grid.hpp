/// Image data, rectilinear and structured grids in XML files of VTK, read box by box.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Opens a .vti, .vtr or .vts: values as text, base64 or raw, in the file's order or behind it, packed in
/// blocks or not, of one piece or several. Of what is packed each rank unpacks the blocks that it needs.
/// Nothing where the file has something else (bits, steps in time, levels of ghosts), which is for VTK
/// itself. `check_vtk_xml` has found no fault. Local. Throws: `io_error`; `usage_error` where no array fits.
[[nodiscard]] std::unique_ptr<grid_source> open_vtk_xml_grid(
    std::filesystem::path const& file, grid_file_options const& options);
/// The names of its arrays, those at points first; none for a file that is for VTK. Local. Throws:
/// `io_error`.
[[nodiscard]] std::vector<std::string> fields_of_vtk_xml(std::filesystem::path const& file);

} // namespace weft
