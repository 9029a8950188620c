#include <weft/contouring/cell_kind.hpp>

#include <contouring/case_table.hpp>

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace {

using weft::cell_kind;
using weft::contouring::cell_table;
using weft::contouring::table_of;

constexpr cell_kind kinds[] = {
    cell_kind::tetrahedron, cell_kind::pyramid, cell_kind::prism, cell_kind::hexahedron};

TEST(cell_kind, has_as_many_corners_as_its_table) {
    for (cell_kind const kind : kinds) EXPECT_EQ(weft::corners_of(kind), table_of(kind).corners);
}

TEST(case_table, each_crossed_edge_has_a_point_and_no_other_one) {
    for (cell_kind const kind : kinds) {
        cell_table const& table = table_of(kind);
        for (unsigned inside = 0; inside < table.cases.size(); ++inside) {
            auto const& each = table.cases[inside];
            std::set<int> crossed;
            for (std::size_t e = 0; e < table.edges.size(); ++e)
                if ((inside >> table.edges[e][0] & 1) != (inside >> table.edges[e][1] & 1))
                    crossed.insert(static_cast<int>(e));
            std::set<int> used;
            for (std::size_t t = 0; t < each.triangles; ++t)
                used.insert(each.corners[t].begin(), each.corners[t].end());
            EXPECT_EQ(crossed, std::set<int>(each.crossed.begin(), each.crossed.begin() + each.crossings));
            EXPECT_EQ(crossed, used);
        }
    }
}

/// The sides of triangles that are not shared with another triangle of the cell.
std::set<std::pair<int, int>> open_sides(cell_table const& table, unsigned inside) {
    std::set<std::pair<int, int>> open;
    auto const& each = table.cases[inside];
    for (std::size_t t = 0; t < each.triangles; ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            std::pair<int, int> const side{each.corners[t][k], each.corners[t][(k + 1) % 3]};
            if (open.erase({side.second, side.first}) == 0) { EXPECT_TRUE(open.insert(side).second); }
        }
    return open;
}

bool is_on(cell_table const& table, std::size_t face, int edge) {
    auto const& corners = table.faces[face];
    int found = 0;
    for (std::uint8_t const end : table.edges[static_cast<std::size_t>(edge)])
        found += std::set<int>(corners.begin(), corners.end()).count(end) > 0;
    return found == 2;
}

/// Whether the face that has both edges has corners inside and outside in turn.
bool is_ambiguous(cell_table const& table, unsigned inside, int one, int other) {
    for (std::size_t face = 0; face < table.faces.size(); ++face) {
        if (!is_on(table, face, one) || !is_on(table, face, other)) continue;
        auto const& corners = table.faces[face];
        auto const in = [&](std::size_t corner) { return (inside >> corners[corner] & 1) != 0; };
        if (corners[3] != corners[0] && in(0) == in(2) && in(1) == in(3) && in(0) != in(1)) return true;
    }
    return false;
}

TEST(case_table, surfaces_end_on_faces_and_cut_off_single_corners_of_ambiguous_ones) {
    for (cell_kind const kind : kinds) {
        cell_table const& table = table_of(kind);
        for (unsigned inside = 0; inside < table.cases.size(); ++inside)
            for (auto const& [from, to] : open_sides(table, inside)) {
                int faces = 0;
                for (std::size_t face = 0; face < table.faces.size(); ++face)
                    faces += is_on(table, face, from) && is_on(table, face, to);
                EXPECT_EQ(faces, 1) << "case " << inside;
                auto const corner_inside = [&](int edge) {
                    auto const& ends = table.edges[static_cast<std::size_t>(edge)];
                    return inside >> ends[0] & 1 ? ends[0] : ends[1];
                };
                if (is_ambiguous(table, inside, from, to)) {
                    EXPECT_EQ(corner_inside(from), corner_inside(to)) << "case " << inside;
                }
            }
    }
}

} // namespace
