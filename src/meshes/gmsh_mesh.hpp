/// Meshes in files of Gmsh.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <filesystem>

namespace weft {

/// Reads .msh whole: versions 2 and 4.1, text or binary of either byte order, with $NodeData and
/// $ElementData; of several steps of one name the first. Values that a node or a cell does not have are NaN.
/// Nodes are the points, in the order of the file; cells without a volume are left out. Local. Throws:
/// `io_error`, with the line of a text; `usage_error` where an array is not there. Source: the reference
/// manual of Gmsh, file formats.
[[nodiscard]] mesh_piece read_gmsh_mesh(std::filesystem::path const& file, mesh_request const& wanted);

} // namespace weft
