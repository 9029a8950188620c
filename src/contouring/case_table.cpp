#include <contouring/case_table.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::contouring {

namespace {

using cell_edge = std::array<std::uint8_t, 2>;
using cell_face = std::array<std::uint8_t, 4>;

constexpr cell_edge tetrahedron_edges[] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
constexpr cell_face tetrahedron_faces[] = {{0, 2, 1, 0}, {0, 1, 3, 0}, {1, 2, 3, 1}, {2, 0, 3, 2}};
constexpr cell_edge pyramid_edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}};
constexpr cell_face pyramid_faces[] = {{0, 3, 2, 1}, {0, 1, 4, 0}, {1, 2, 4, 1}, {2, 3, 4, 2}, {3, 0, 4, 3}};
constexpr cell_edge prism_edges[] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
constexpr cell_face prism_faces[] = {{0, 1, 2, 0}, {3, 5, 4, 3}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}};
constexpr cell_edge hexahedron_edges[] = {
    {0, 1}, {1, 2}, {3, 2}, {0, 3}, {4, 5}, {5, 6}, {7, 6}, {4, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
constexpr cell_face hexahedron_faces[] = {
    {0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

// The triangulations of polygons of more than three corners, see `cut`: a character for each polygon, in the
// order of cases and of the least edges of polygons. Any choice makes a closed surface. This one is VTK's,
// found by giving each case to VTK, so that areas can be compared (docs/adr/0060).
constexpr std::string_view tetrahedron_cuts = "001111";
constexpr std::string_view pyramid_cuts = "10202021001003504091";
constexpr std::string_view prism_cuts = "1011401004041131107=11021140640:001=411101";
constexpr std::string_view hexahedron_cuts =
    "1021202110400;010233100:11200;001200323020401YY11113;100;80021004G111G84114;20041012Y2=201;12;0413D1=G="
    "100141;33;003020401=4023;401111:1210G4:D61<;138G4;2=1B=11110422Y220=03001;3L2BB5114116202D3:17;"
    "LL44010303013041";

/// The number of triangulations of a polygon, by its corners: Catalan's numbers.
constexpr int ways[] = {0, 0, 1, 1, 2, 5, 14, 42};

/// Cuts the polygon first..last of `at` into triangles. `way` encodes the apex of the triangle at the side
/// from last to first, and the triangulations of the parts on both sides of it.
void cut(std::vector<std::uint8_t> const& at, std::size_t first, std::size_t last, int way, cell_case& into) {
    if (last - first < 2) return;
    for (std::size_t apex = first + 1; apex < last; ++apex) {
        int const right = ways[last - apex + 1];
        int const here = ways[apex - first + 1] * right;
        if (way >= here) {
            way -= here;
            continue;
        }
        cut(at, first, apex, way / right, into);
        into.corners[into.triangles++] = {at[first], at[apex], at[last]};
        cut(at, apex, last, way % right, into);
        return;
    }
}

std::uint8_t edge_between(std::span<cell_edge const> edges, std::uint8_t a, std::uint8_t b) {
    std::uint8_t edge = 0;
    while (!(edges[edge] == cell_edge{a, b} || edges[edge] == cell_edge{b, a})) ++edge;
    return edge;
}

constexpr std::uint8_t none = 255;

/// Returns for each crossed edge the next one of its polygon. In each face, a polygon cuts off the corners
/// inside. In an ambiguous face, it cuts off the two corners separately; the cells on both sides do the same.
std::array<std::uint8_t, 12> next_edges(cell_table const& kind, unsigned inside) {
    std::array<std::uint8_t, 12> next;
    next.fill(none);
    for (cell_face const& face : kind.faces) {
        std::size_t const corners = face[3] == face[0] ? 3 : 4;
        for (std::size_t entry = 0; entry < corners; ++entry) {
            std::uint8_t const before = face[entry];
            std::size_t at = (entry + 1) % corners;
            if ((inside >> before & 1) != 0 || (inside >> face[at] & 1) == 0) continue;
            std::uint8_t const entered = edge_between(kind.edges, before, face[at]);
            while ((inside >> face[(at + 1) % corners] & 1) != 0) at = (at + 1) % corners;
            next[entered] = edge_between(kind.edges, face[at], face[(at + 1) % corners]);
        }
    }
    return next;
}

std::vector<cell_case> cases_of(cell_table const& kind, std::string_view cuts) {
    std::vector<cell_case> cases(std::size_t{1} << kind.corners);
    for (unsigned inside = 0; inside < cases.size(); ++inside) {
        cell_case& made = cases[inside];
        std::array<std::uint8_t, 12> next = next_edges(kind, inside);
        auto const edges = static_cast<std::uint8_t>(kind.edges.size());
        for (std::uint8_t edge = 0; edge < edges; ++edge)
            if (next[edge] != none) made.crossed[made.crossings++] = edge;
        for (std::uint8_t start = 0; start < edges; ++start) {
            std::vector<std::uint8_t> polygon;
            for (std::uint8_t edge = start; next[edge] != none;) {
                polygon.push_back(edge);
                edge = std::exchange(next[edge], none);
            }
            if (polygon.size() < 3) continue;
            int way = 0;
            if (polygon.size() > 3) {
                way = cuts.front() - '0';
                cuts.remove_prefix(1);
            }
            cut(polygon, 0, polygon.size() - 1, way, made);
        }
    }
    return cases;
}

/// A table, and the cases to which it refers.
struct owned_table {
    cell_table table;
    std::vector<cell_case> cases;

    owned_table(std::uint8_t corners, std::span<cell_edge const> edges, std::span<cell_face const> faces,
        std::string_view cuts)
        : table{corners, edges, {}, faces}, cases(cases_of(table, cuts)) {
        table.cases = cases;
    }
    owned_table(owned_table const&) = delete;
    owned_table& operator=(owned_table const&) = delete;
};

} // namespace

cell_table const& table_of(cell_kind kind) {
    static owned_table const tables[] = {{4, tetrahedron_edges, tetrahedron_faces, tetrahedron_cuts},
        {5, pyramid_edges, pyramid_faces, pyramid_cuts}, {6, prism_edges, prism_faces, prism_cuts},
        {8, hexahedron_edges, hexahedron_faces, hexahedron_cuts}};
    return tables[static_cast<std::size_t>(kind)].table;
}

} // namespace weft::contouring
