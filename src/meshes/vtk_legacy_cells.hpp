/// Checks of legacy files of VTK with meshes that VTK itself does not make.
#pragma once

#include <filesystem>

namespace weft {

/// Holds the numbers of points and cells, and the lengths of all cells, against what the file has: VTK's
/// reader writes beyond its memory where they lie. Local. Throws: `io_error` with the line.
void check_vtk_legacy_cells(std::filesystem::path const& file);

} // namespace weft
