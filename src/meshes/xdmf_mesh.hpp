/// Meshes in files of XDMF.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <filesystem>

namespace weft {

/// Reads a file whole. Its numbers are in it, in raw files, or in HDF5 beside it (Format="XML", "Binary" and
/// "HDF"). It has one uniform grid of unstructured cells, of one type or mixed, points as XYZ or XY, and
/// attributes of nodes and cells. Cells without a volume are left out. Local. Throws: `io_error`, with the
/// line; `usage_error` for an array that is absent. Source: xdmf.org, XDMF model and format.
[[nodiscard]] mesh_piece read_xdmf_mesh(std::filesystem::path const& file, mesh_request const& wanted);

} // namespace weft
