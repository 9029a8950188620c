/// Meshes in files of VTK, through VTK's own readers, where Weft was built with VTK.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <filesystem>
#include <vector>

namespace weft {

/// Returns true if a legacy file has an unstructured grid, by its first lines.
[[nodiscard]] bool is_legacy_mesh(std::filesystem::path const& file);

/// Returns the files with the pieces of a mesh: those named by a .pvtu, else the file itself. Local. Throws:
/// `io_error`.
[[nodiscard]] std::vector<std::filesystem::path> vtk_mesh_pieces(std::filesystem::path const& file);

/// Reads a .vtu or .vtk. Ghost cells, and cells without a volume, are left out. Local. Throws: `io_error`;
/// `usage_error` for an array that is absent. Only if Weft is built with VTK.
[[nodiscard]] mesh_piece read_vtk_mesh(std::filesystem::path const& file, mesh_request const& wanted);

} // namespace weft
