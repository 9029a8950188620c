/// Legacy files of VTK (.vtk) with image data, a rectilinear or a structured grid.
#pragma once

#include <grids/grid_source.hpp>

#include <filesystem>
#include <memory>

namespace weft {

/// Opens a legacy VTK file. Values are read box by box; of text places are kept, a number every 65,536
/// values. Every array that the file announces must be there to its end. Local. Throws: `io_error` with the
/// line where there is one; `usage_error` for an array that is not there.
[[nodiscard]] std::unique_ptr<grid_source> open_vtk_legacy(
    std::filesystem::path const& file, grid_file_options const& options);
/// The names of its arrays, those at points first. Local. Throws: as the other one.
[[nodiscard]] std::vector<std::string> fields_of_vtk_legacy(std::filesystem::path const& file);

} // namespace weft
