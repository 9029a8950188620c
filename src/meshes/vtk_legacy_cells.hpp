/// Checks of legacy VTK files with meshes that VTK itself does not do.
#pragma once

#include <filesystem>

namespace weft {

/// Checks the numbers of points and cells and the lengths of all cells against the content of the file: VTK's
/// reader writes out of bounds if they are wrong. Local. Throws: `io_error` with the line.
void check_vtk_legacy_cells(std::filesystem::path const& file);

} // namespace weft
