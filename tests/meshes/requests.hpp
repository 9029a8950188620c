/// The arrays of a mesh that tests request. Private.
#pragma once

#include <meshes/mesh_piece.hpp>

namespace weft_test {

/// Requests a field of points, and carries one of cells.
inline weft::mesh_request heat_and_wind() {
    return {.field = "heat", .field_may_be_of_cells = false, .carried = {"wind"}};
}

} // namespace weft_test
