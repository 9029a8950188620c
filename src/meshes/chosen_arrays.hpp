/// The choice of arrays of a file that a mesh is to have.
#pragma once

#include <meshes/mesh_piece.hpp>

#include <string>
#include <vector>

namespace weft {

/// Returns the wanted arrays among those of a file, the field first. Local. Throws: `usage_error`, which
/// names the arrays that the file has.
[[nodiscard]] std::vector<mesh_array> chosen_arrays(
    std::string const& file, std::vector<mesh_array> const& all, mesh_request const& wanted);

} // namespace weft
