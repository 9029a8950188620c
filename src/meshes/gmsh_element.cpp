// The numbers: Gmsh reference manual, "MSH file format" and "Node ordering".
#include <meshes/gmsh_element.hpp>

#include <algorithm>
#include <iterator>

namespace weft {

namespace {

struct numbered_element {
    std::int64_t number;
    gmsh_element element;
};

constexpr cell_kind tetrahedron = cell_kind::tetrahedron;
constexpr cell_kind hexahedron = cell_kind::hexahedron;
constexpr cell_kind prism = cell_kind::prism;
constexpr cell_kind pyramid = cell_kind::pyramid;

constexpr numbered_element elements[] = {
    // points, lines and faces
    {15, {1, {}}},
    {1, {2, {}}},
    {8, {3, {}}},
    {26, {4, {}}},
    {27, {5, {}}},
    {28, {6, {}}},
    {2, {3, {}}},
    {9, {6, {}}},
    {20, {9, {}}},
    {21, {10, {}}},
    {22, {12, {}}},
    {23, {15, {}}},
    {24, {15, {}}},
    {25, {21, {}}},
    {3, {4, {}}},
    {10, {9, {}}},
    {16, {8, {}}},
    {36, {16, {}}},
    // cells of first order, of second, and of higher ones
    {4, {4, tetrahedron}},
    {5, {8, hexahedron}},
    {6, {6, prism}},
    {7, {5, pyramid}},
    {11, {10, tetrahedron}},
    {12, {27, hexahedron}},
    {17, {20, hexahedron}},
    {13, {18, prism}},
    {18, {15, prism}},
    {14, {14, pyramid}},
    {19, {13, pyramid}},
    {29, {20, tetrahedron}},
    {30, {35, tetrahedron}},
    {31, {56, tetrahedron}},
    {92, {64, hexahedron}},
    {93, {125, hexahedron}},
};

} // namespace

gmsh_element const* gmsh_element_of(std::int64_t number) noexcept {
    auto const* const found = std::ranges::find(elements, number, &numbered_element::number);
    return found == std::end(elements) ? nullptr : &found->element;
}

} // namespace weft
