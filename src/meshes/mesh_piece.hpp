/// A part of a mesh as a file has it.
#pragma once

#include <weft/contouring/cell_kind.hpp>
#include <weft/contouring/mesh.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Which arrays of a file are wanted.
struct mesh_request {
    /// The field, of one value each; empty: the one that the file calls its scalars, else the first. Not set:
    /// none.
    std::optional<std::string> field = {};
    bool field_may_be_of_cells = false;
    bool field_may_be_absent = false;      ///< where none is named and none fits
    std::vector<std::string> carried = {}; ///< of points or cells
    bool all = false;                      ///< every array, whatever is carried; not the field too
    std::filesystem::path solution = {};   ///< the file of fields, where the mesh is a grid of PLOT3D
};

/// An array of points or cells.
struct mesh_array {
    named_values what;
    bool of_cells = false;
};

/// Points, the cells between them, and the arrays that were asked for: the field first, then the others in
/// turn.
struct mesh_piece {
    std::vector<std::array<double, 3>> places;
    std::vector<cell_kind> kinds;
    std::vector<global_id> corners; ///< of cells, end to end, by the number of the point in the piece
    std::vector<mesh_array> arrays;
    std::vector<global_id> point_ids; ///< that points have in all pieces; none where the file does not say
    std::int64_t left_out = 0;        ///< cells without a volume
    std::int64_t straightened = 0;    ///< cells of higher order, of which the corners alone are used
};

} // namespace weft
