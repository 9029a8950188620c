/// Which arrays of a file a mesh is to have.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <string>
#include <vector>

namespace weft {

/// Those that are wanted, the field first, of those that a file has. Local. Throws: `usage_error`, which
/// names those there are.
[[nodiscard]] std::vector<mesh_array> chosen_arrays(
    std::string const& file, std::vector<mesh_array> const& all, mesh_request const& wanted);

} // namespace weft
