/// Legacy files of VTK (.vtk) with image data, a rectilinear or a structured grid.
#pragma once

#include <grids/grid_source.hpp>

#include <filesystem>
#include <memory>

namespace weft {

/// Opens a legacy VTK file. Values are read in boxes; for text, a place is kept for every 65,536 values.
/// Every array that the file announces must be complete. Local. Throws: `io_error`, with the line if there is
/// one; `usage_error` for an absent array.
[[nodiscard]] std::unique_ptr<grid_source> open_vtk_legacy(
    std::filesystem::path const& file, grid_file_options const& options);
/// Returns the names of its arrays, those at points first. Local. Throws: as `open_vtk_legacy`.
[[nodiscard]] std::vector<std::string> fields_of_vtk_legacy(std::filesystem::path const& file);

} // namespace weft
