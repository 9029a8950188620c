/// The types of cells of XDMF.
#pragma once

#include <weft/contouring/cell_kind.hpp>

#include <optional>
#include <string>
#include <utility>

namespace weft {

/// A type of cells: its name, its code in mixed topologies, the number of its points, of which corners are
/// the first, and its kind if it has a volume.
struct xdmf_cell {
    char const* name;
    int code;
    int points; // 0: given in the file
    std::optional<cell_kind> kind;
};

inline constexpr xdmf_cell xdmf_cells[] = {
    {"polyvertex", 1, 0, {}},
    {"polyline", 2, 0, {}},
    {"polygon", 3, 0, {}},
    {"triangle", 4, 3, {}},
    {"quadrilateral", 5, 4, {}},
    {"tetrahedron", 6, 4, cell_kind::tetrahedron},
    {"pyramid", 7, 5, cell_kind::pyramid},
    {"wedge", 8, 6, cell_kind::prism},
    {"hexahedron", 9, 8, cell_kind::hexahedron},
    {"edge_3", 34, 3, {}},
    {"quadrilateral_9", 35, 9, {}},
    {"triangle_6", 36, 6, {}},
    {"quadrilateral_8", 37, 8, {}},
    {"tetrahedron_10", 38, 10, cell_kind::tetrahedron},
    {"pyramid_13", 39, 13, cell_kind::pyramid},
    {"wedge_15", 40, 15, cell_kind::prism},
    {"wedge_18", 41, 18, cell_kind::prism},
    {"hexahedron_20", 48, 20, cell_kind::hexahedron},
    {"hexahedron_24", 49, 24, cell_kind::hexahedron},
    {"hexahedron_27", 50, 27, cell_kind::hexahedron},
};

/// Returns the name in `xdmf_cells` of a type of cells that has several names.
[[nodiscard]] inline std::string xdmf_cell_name(std::string name) {
    constexpr std::pair<char const*, char const*> others[] = {{"tet_10", "tetrahedron_10"},
        {"hex_20", "hexahedron_20"}, {"hex_24", "hexahedron_24"}, {"hex_27", "hexahedron_27"},
        {"tri_6", "triangle_6"}, {"quad_8", "quadrilateral_8"}, {"quad_9", "quadrilateral_9"}};
    for (auto const& [other, known] : others)
        if (name == other) return known;
    return name;
}

} // namespace weft
