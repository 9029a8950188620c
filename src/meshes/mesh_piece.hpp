/// A part of a mesh, as read from a file.
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

/// The arrays of a file that are wanted.
struct mesh_request {
    /// The field, which has one component; empty: the scalars of the file, else its first array. Without a
    /// value: no field is wanted.
    std::optional<std::string> field = {};
    bool field_may_be_of_cells = false;
    bool field_may_be_absent = false;      ///< if none is named and the file has none that fits
    std::vector<std::string> carried = {}; ///< of points or cells
    bool all = false;                      ///< all arrays but the field, whatever `carried` names
    std::filesystem::path solution = {};   ///< the file of fields, if the mesh is a grid of PLOT3D
};

/// An array of points or cells.
struct mesh_array {
    named_values what;
    bool of_cells = false;
};

/// Points, the cells between them, and the wanted arrays: the field first, then the others in the order
/// wanted.
struct mesh_piece {
    std::vector<std::array<double, 3>> places;
    std::vector<cell_kind> kinds;
    std::vector<global_id> corners; ///< of all cells, one after the other: numbers of points of this piece
    std::vector<mesh_array> arrays;
    std::vector<global_id> point_ids; ///< global ids of the points; empty if the file has none
    std::int64_t left_out = 0;        ///< cells without a volume
    std::int64_t straightened = 0;    ///< cells of higher order, reduced to their corners
};

} // namespace weft
