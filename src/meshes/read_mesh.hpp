/// Reads meshes from files and distributes them over all ranks.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <weft/contouring/mesh.hpp>
#include <weft/core/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace weft {

/// A mesh with its carried arrays, and the field.
struct mesh_input {
    mesh of;
    named_values field; ///< empty if no field was wanted
    bool field_of_cells = false;
    std::int64_t left_out = 0;     ///< cells without a volume
    std::int64_t straightened = 0; ///< cells of higher order, reduced to their corners
};

/// Returns true if `read_mesh` reads a file, by its name; for .vtk, by its first lines.
[[nodiscard]] bool is_mesh_file(std::filesystem::path const& file);

/// Reads .vtu, .vtk, .pvtu, .msh, .xdmf and .xmf. The last rank reads a file of one piece and distributes it.
/// All ranks read the pieces of a .pvtu, and grids of PLOT3D, for which `wanted` names a solution. Each rank
/// gets the same number of points and cells, or one more. Pieces are joined at points of equal global ids,
/// or, without ids, at points with equal coordinates.
///
/// Collective: yes. Blocks: until all ranks have theirs. Cost: reads all bytes once; a rank that reads a
/// piece has all of it in memory. Throws: on all ranks `io_error`; `usage_error` for an array that is absent.
[[nodiscard]] mesh_input read_mesh(
    communicator const& comm, std::filesystem::path const& file, mesh_request const& wanted);

} // namespace weft
