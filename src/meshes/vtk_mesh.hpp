/// Meshes in files of VTK, through VTK's own readers, where Weft was built with VTK.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <filesystem>
#include <vector>

namespace weft {

/// True if a legacy file holds an unstructured grid, by its first lines.
[[nodiscard]] bool is_legacy_mesh(std::filesystem::path const& file);

/// The files that have the pieces of a mesh: those that a .pvtu names, else the file itself. Local. Throws:
/// `io_error`.
[[nodiscard]] std::vector<std::filesystem::path> vtk_mesh_pieces(std::filesystem::path const& file);

/// Reads .vtu and .vtk whole. Ghost cells, and cells without a volume, are left out. Local. Throws:
/// `io_error`; `usage_error` where an array is not there. Only where Weft is built with VTK.
[[nodiscard]] mesh_piece read_vtk_mesh(std::filesystem::path const& file, mesh_request const& wanted);

} // namespace weft
