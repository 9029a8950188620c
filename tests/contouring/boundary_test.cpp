#include <contouring/boundary.hpp>

#include "cubes.hpp"

#include <weft/collective/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace {

using weft::cell_kind;
using weft::named_values;
using weft::contouring::boundary_of;
using weft_test::world;

/// The area of the triangles of all ranks.
double area_of(weft::surface const& of) {
    auto const corners = corners_of(world(), of);
    double twice = 0;
    for (std::size_t i = 0; i + 2 < corners.places.size(); i += 3) {
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) {
            auto const side = [&](std::size_t c, std::size_t axis) {
                return corners.places[i + c][axis % 3] - corners.places[i][axis % 3];
            };
            double const across = side(1, d + 1) * side(2, d + 2) - side(1, d + 2) * side(2, d + 1);
            square += across * across;
        }
        twice += std::sqrt(square);
    }
    return weft::all_reduce(world(), twice, std::plus<>()) / 2;
}

TEST(boundary, is_the_outside_of_cells_of_any_kind) {
    auto const field = weft_test::noise_of({4, 3, 5});
    for (cell_kind const kind :
        {cell_kind::tetrahedron, cell_kind::prism, cell_kind::pyramid, cell_kind::hexahedron}) {
        auto const cubes = weft_test::mesh_of(field, {kind});
        named_values const noise{"noise", 1, cubes.values};
        weft::surface const outside = boundary_of(world(), cubes.mesh, noise, false);
        EXPECT_EQ(outside.triangles.total(), 2 * 2 * (3 * 2 + 2 * 4 + 3 * 4)); // two of each square
        EXPECT_EQ(outside.points.total(), 4 * 3 * 5 - 2 * 1 * 3);
        EXPECT_NEAR(area_of(outside), 2 * (3 * 2 + 2 * 4 + 3 * 4), 1e-9);
        ASSERT_EQ(outside.of_points.size(), 1U);
        for (std::size_t i = 0; i < outside.places.size(); ++i) {
            auto const& at = outside.places[i];
            EXPECT_EQ(outside.of_points[0].values[i],
                field.at(static_cast<std::int64_t>(at[0]), static_cast<std::int64_t>(at[1]),
                    static_cast<std::int64_t>(at[2])));
        }
    }
}

TEST(boundary, has_the_values_of_the_cells_behind_it) {
    auto const cubes = weft_test::mesh_of(weft_test::noise_of({3, 2, 2}), {cell_kind::hexahedron});
    named_values places{"x", 1, {}};
    for (std::int64_t cell = cubes.mesh.cells.begin(world().rank());
         cell < cubes.mesh.cells.end(world().rank()); ++cell)
        places.values.push_back(static_cast<double>(cell));
    weft::surface const outside = boundary_of(world(), cubes.mesh, places, true);
    EXPECT_EQ(outside.triangles.total(), 20);
    ASSERT_EQ(outside.of_triangles.size(), 1U);
    auto const corners = corners_of(world(), outside);
    for (std::size_t i = 0; i < outside.of_triangles[0].values.size(); ++i) {
        double middle = 0;
        for (std::size_t c = 0; c < 3; ++c) middle += corners.places[3 * i + c][0] / 3;
        EXPECT_EQ(outside.of_triangles[0].values[i], middle < 1 ? 0 : 1);
    }
}

TEST(boundary, of_collapsed_cells_joins_their_triangles) {
    // A hexahedron whose far end is an edge: two of its squares are triangles, one of which a tetrahedron has
    // too.
    std::vector<std::array<double, 3>> const places{
        {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {-1, 0, 0}};
    std::vector<weft::global_id> const corners{0, 1, 2, 3, 4, 5, 5, 4, 0, 3, 4, 6};
    weft::mesh mesh;
    mesh.points = weft::block_distribution::uniform(world(), 7);
    for (auto id = mesh.points.begin(world().rank()); id < mesh.points.end(world().rank()); ++id)
        mesh.places.push_back(places[static_cast<std::size_t>(id)]);
    mesh.cells = weft::block_distribution::uniform(world(), 2);
    for (auto id = mesh.cells.begin(world().rank()); id < mesh.cells.end(world().rank()); ++id) {
        mesh.kinds.push_back(id == 0 ? cell_kind::hexahedron : cell_kind::tetrahedron);
        mesh.corners.insert(
            mesh.corners.end(), corners.begin() + (id == 0 ? 0 : 8), corners.begin() + (id == 0 ? 8 : 12));
    }
    weft::surface const outside = boundary_of(world(), mesh, {}, false);
    EXPECT_EQ(outside.triangles.total(), 2 * 3 + 1 + 3); // squares, the other triangle, a tetrahedron's
    EXPECT_EQ(outside.points.total(), 7);
}

TEST(boundary, of_nothing_is_nothing) {
    weft::mesh mesh;
    mesh.points = weft::block_distribution::uniform(world(), 0);
    mesh.cells = weft::block_distribution::uniform(world(), 0);
    weft::surface const outside = boundary_of(world(), mesh, {}, false);
    EXPECT_EQ(outside.triangles.total(), 0);
    EXPECT_EQ(outside.points.total(), 0);
}

} // namespace
