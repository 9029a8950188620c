/// Structured grids of PLOT3D as meshes of hexahedra.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <filesystem>

namespace weft {

/// Reads a share of a grid file. The points of all blocks, one block after the other, are cut into as many
/// runs as there are ranks; the result has those of `rank` and the cells that begin at them. Corners may lie
/// in the shares of later ranks. Fields are those of the solution `wanted.solution`: density, momentum,
/// energy. Byte order, length of reals, records of Fortran, one or several blocks, and IBlank are inferred
/// from the size of the file. Cells with a corner whose IBlank is 0 are left out. Blocks are not joined.
/// Local. Throws: `io_error`; `usage_error` for an unknown field.
///
/// Source: Walatka, Buning, Pierce and Elson, PLOT3D User's Manual, NASA TM 101067 (1990), section 8.
[[nodiscard]] mesh_piece read_plot3d_mesh(
    std::filesystem::path const& grid, mesh_request const& wanted, int rank, int ranks);

} // namespace weft
