/// Meshes of files, in blocks of all ranks.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <weft/contouring/mesh.hpp>
#include <weft/core/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace weft {

/// A mesh with the arrays that were asked for to be carried, and the field.
struct mesh_input {
    mesh of;
    named_values field; ///< empty where none was asked for
    bool field_of_cells = false;
    std::int64_t left_out = 0;     ///< cells without a volume
    std::int64_t straightened = 0; ///< cells of higher order, of which the corners alone are used
};

/// Whether `read_mesh` reads a file, by its name, and that of a .vtk by its first lines.
[[nodiscard]] bool is_mesh_file(std::filesystem::path const& file);

/// Reads .vtu, .vtk, .pvtu, .msh, .xdmf and .xmf: the last rank reads a file of one piece and deals it out,
/// pieces of a .pvtu are read by all ranks, and so are grids of PLOT3D, for which `wanted` names a solution.
/// Afterwards each rank has as many points and cells as any other, or one more. Pieces are joined where they
/// have points of one global id, or where they say none at the same places.
///
/// Collective: yes. Blocks: until all ranks have theirs. Cost: all bytes once; the rank that reads a piece
/// has it in memory. Throws: on all ranks `io_error`; `usage_error` where an array is not there.
[[nodiscard]] mesh_input read_mesh(
    communicator const& comm, std::filesystem::path const& file, mesh_request const& wanted);

} // namespace weft
