/// Checks of VTK's XML files that VTK itself does not make.
#pragma once

#include <filesystem>

namespace weft {

/// Holds the extents of an XML file against sense and memory, and its end and its appended values against its
/// length. Local. Throws: `io_error`.
void check_vtk_xml(std::filesystem::path const& file);

} // namespace weft
