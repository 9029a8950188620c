/// Which arrays of a mesh tests ask for. Private.
#pragma once

#include <meshes/mesh_piece.hpp>

namespace weft_test {

/// A field of points, and one of cells with it.
inline weft::mesh_request heat_and_wind() {
    return {.field = "heat", .field_may_be_of_cells = false, .carried = {"wind"}};
}

} // namespace weft_test
