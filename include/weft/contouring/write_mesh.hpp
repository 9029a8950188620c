/// Meshes in files.
#pragma once

#include <weft/contouring/mesh.hpp>

#include <filesystem>

namespace weft {

/// Writes a mesh with its fields as one VTK file (.vtu). All ranks write the file together. The file appears
/// once it is complete; the name "-" is standard output. The bytes of the file do not depend on the number of
/// ranks.
///
/// Collective: yes. Blocks: until all ranks have written. Cost: one pass over the mesh. Throws: as `check` of
/// meshes; on all ranks `io_error`.
void write_mesh(communicator const& comm, mesh const& what, std::filesystem::path const& file);

} // namespace weft
