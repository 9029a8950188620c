/// VTK image data whose values lie in the file as they are.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Opens a .vti of one piece with raw appended values without compression, to read boxes of them; nothing for
/// other ones, for a variable that it does not have, and where some values are hidden. `check_vtk_xml` has
/// found no fault. Local. Throws: `io_error`.
[[nodiscard]] std::unique_ptr<grid_source> open_vti_boxes(
    std::filesystem::path const& file, std::string const& variable);

} // namespace weft
