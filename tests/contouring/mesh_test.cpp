/// Surfaces of meshes, against those of grids and what can be counted.
#include <weft/contouring/mesh.hpp>

#include "cubes.hpp"

#include <weft/contouring/contour.hpp>
#include <weft/core/error.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace {

using weft::cell_kind;
using weft_test::cut_cubes;
using weft_test::mesh_of;
using weft_test::world;

weft::contour_result contour_of(cut_cubes const& of, weft::contour_options const& options) {
    return contour(world(), of.mesh, of.values, options);
}

TEST(contour_mesh, of_hexahedra_is_that_of_the_grid) {
    auto const noise = weft_test::noise_of({7, 6, 8});
    auto const of_grid = weft_test::contour_of(noise, {.values = {0.4, 0.6}});
    auto const of_mesh = contour_of(mesh_of(noise, {cell_kind::hexahedron}), {.values = {0.4, 0.6}});
    for (std::size_t v = 0; v < 2; ++v) {
        EXPECT_EQ(of_mesh.of_values[v].points, of_grid.of_values[v].points);
        EXPECT_EQ(of_mesh.of_values[v].triangles, of_grid.of_values[v].triangles);
        EXPECT_EQ(of_mesh.of_values[v].components, of_grid.of_values[v].components);
        EXPECT_EQ(of_mesh.of_values[v].active_cells, of_grid.of_values[v].active_cells);
        EXPECT_NEAR(of_mesh.of_values[v].area, of_grid.of_values[v].area, 1e-9);
    }
}

TEST(contour_mesh, of_every_kind_is_closed_and_turned_outwards) {
    double const radius = 5.3;
    auto const ball = weft_test::ball_of(14, radius);
    auto const rimmed = weft_test::with_rim(weft_test::noise_of({6, 6, 6}), 0);
    std::vector<std::vector<cell_kind>> const all = {{cell_kind::tetrahedron}, {cell_kind::prism},
        {cell_kind::pyramid}, {cell_kind::hexahedron}, {cell_kind::hexahedron, cell_kind::pyramid}};
    for (auto const& kinds : all) {
        auto const found = contour_of(mesh_of(ball, kinds), {.values = {0}});
        auto const whole = weft_test::gathered(found.made);
        EXPECT_EQ(weft_test::open_sides(whole), 0);
        EXPECT_NEAR(weft_test::enclosed(whole), 4.0 / 3 * std::numbers::pi * std::pow(radius, 3), 25);
        EXPECT_EQ(found.of_values[0].components, 1);
        cut_cubes const noise = mesh_of(rimmed, kinds);
        auto const closed = contour_of(noise, {.values = {0.5}});
        EXPECT_EQ(weft_test::open_sides(weft_test::gathered(closed.made)), 0);
        EXPECT_EQ(closed.of_values[0].points, weft_test::crossed_edges(noise, 0.5));
    }
}

TEST(contour_mesh, of_every_kind_has_one_point_in_a_corner_that_has_the_value) {
    auto steps = weft_test::noise_of({5, 6, 5});
    for (double& each : steps.values) each = std::floor(3 * each);
    auto const rimmed = weft_test::with_rim(steps, -1);
    std::vector<std::vector<cell_kind>> const all = {{cell_kind::tetrahedron}, {cell_kind::prism},
        {cell_kind::pyramid}, {cell_kind::hexahedron}, {cell_kind::hexahedron, cell_kind::pyramid}};
    for (auto const& kinds : all)
        for (double const value : {0.0, 1.0, 2.0}) {
            cut_cubes const cut = mesh_of(rimmed, kinds);
            auto const whole = weft_test::gathered(contour_of(cut, {.values = {value}}).made);
            EXPECT_GT(whole.corners.size(), 0U);
            EXPECT_EQ(weft_test::open_sides(whole), 0);
            weft_test::expect_points_apart(whole);
            auto const below = weft_test::gathered(contour_of(cut, {.values = {value - 1e-9}}).made);
            EXPECT_NEAR(weft_test::enclosed(whole), weft_test::enclosed(below), 1e-4);
        }
}

TEST(contour_mesh, does_not_depend_on_where_cells_are) {
    cut_cubes noise = mesh_of(weft_test::noise_of({6, 5, 7}), {cell_kind::tetrahedron});
    noise.mesh.of_points.push_back({"height", 2, {}});
    for (auto const& place : noise.mesh.places)
        noise.mesh.of_points[0].values.insert(noise.mesh.of_points[0].values.end(), {place[2], -place[0]});
    noise.mesh.of_cells.push_back({"cell", 1, {}});
    for (auto id = noise.mesh.cells.begin(world().rank()); id < noise.mesh.cells.end(world().rank()); ++id)
        noise.mesh.of_cells[0].values.push_back(static_cast<double>(id));
    auto const still = contour_of(noise, {.values = {0.5}, .balance = weft::cell_balance::never});
    auto const moved = contour_of(noise, {.values = {0.5}, .balance = weft::cell_balance::always});
    EXPECT_EQ(weft_test::gathered(still.made), weft_test::gathered(moved.made));
    EXPECT_EQ(still.of_values, moved.of_values);
    EXPECT_LE(moved.imbalance_after, 0.1);
    for (auto const* made : {&still.made, &moved.made}) {
        ASSERT_EQ(made->of_points.size(), 1U);
        ASSERT_EQ(made->of_points[0].values.size(), 2 * made->places.size());
        for (std::size_t i = 0; i < made->places.size(); ++i) {
            EXPECT_NEAR(made->of_points[0].values[2 * i], made->places[i][2], 1e-12);
            EXPECT_NEAR(made->of_points[0].values[2 * i + 1], -made->places[i][0], 1e-12);
        }
        ASSERT_EQ(made->of_triangles[0].values.size(), made->corners.size());
    }
    EXPECT_EQ(all_gatherv(world(), still.made.of_triangles[0].values),
        all_gatherv(world(), moved.made.of_triangles[0].values));
    auto const cells = all_gatherv(world(), moved.made.of_triangles[0].values);
    EXPECT_TRUE(std::ranges::is_sorted(cells));
}

TEST(contour_mesh, cells_of_one_rank_are_dealt_to_all) {
    cut_cubes noise = mesh_of(weft_test::noise_of({8, 8, 8}), {cell_kind::hexahedron});
    std::vector<double> all = all_gatherv(world(), noise.values);
    std::fill(all.begin() + static_cast<std::ptrdiff_t>(all.size() / 4), all.end(), 0.0);
    for (std::size_t i = 0; i < noise.values.size(); ++i)
        noise.values[i] = all[static_cast<std::size_t>(noise.mesh.points.begin(world().rank())) + i];
    auto const found = contour_of(noise, {.values = {0.5}});
    if (world().size() >= 4) { EXPECT_GT(found.imbalance_before, 0.5); }
    EXPECT_LE(found.imbalance_after, 0.1);
}

TEST(contour_mesh, leaves_out_cells_without_a_value) {
    cut_cubes noise = mesh_of(weft_test::noise_of({5, 5, 5}), {cell_kind::hexahedron});
    auto const before = contour_of(noise, {.values = {0.5}});
    if (world().rank() == 0) noise.values[0] = std::numeric_limits<double>::quiet_NaN();
    auto const after = contour_of(noise, {.values = {0.5}});
    EXPECT_EQ(before.of_values[0].active_cells - after.of_values[0].active_cells, 1);
    for (auto const& place : weft_test::gathered(after.made).places)
        for (double const each : place) EXPECT_TRUE(std::isfinite(each));
}

TEST(contour_mesh, nothing_is_a_surface_too) {
    cut_cubes const none{{.points = weft::block_distribution::uniform(world(), 0),
                             .cells = weft::block_distribution::uniform(world(), 0)},
        {}};
    EXPECT_EQ(contour_of(none, {.values = {1}}).of_values[0], weft::contour_counts{});
    cut_cubes const noise = mesh_of(weft_test::noise_of({4, 4, 4}), {cell_kind::prism});
    EXPECT_EQ(contour_of(noise, {.values = {2}}).of_values[0], weft::contour_counts{});
}

TEST(contour_mesh, a_corner_that_a_cell_has_twice_makes_no_triangle) {
    // Hexahedra whose upper ends are collapsed to one point: pyramids, in other words.
    cut_cubes cubes = mesh_of(weft_test::noise_of({2, 2, 2}), {cell_kind::hexahedron});
    for (std::size_t i = 4; i < cubes.mesh.corners.size(); ++i) cubes.mesh.corners[i] = 4;
    std::vector<double> const values{0, 0, 0, 0, 1, 1, 1, 1};
    for (std::size_t i = 0; i < cubes.values.size(); ++i)
        cubes.values[i] = values[static_cast<std::size_t>(cubes.mesh.points.begin(world().rank())) + i];
    auto const found = contour_of(cubes, {.values = {0.5}});
    EXPECT_EQ(found.of_values[0].points, 4);
    EXPECT_EQ(found.of_values[0].triangles, 2);
}

TEST(mesh, points_on_each_other_become_one) {
    // Two cubes side by side, each with corners of its own.
    weft::mesh two;
    std::vector<std::array<double, 3>> places;
    for (int cube = 0; cube < 2; ++cube)
        for (int c = 0; c < 8; ++c)
            places.push_back({cube + (c & 1 ? 1 : 1e-9 * cube), double(c >> 1 & 1), double(c >> 2)});
    two.points = weft::block_distribution::uniform(world(), 16);
    two.cells = weft::block_distribution::uniform(world(), 2);
    std::vector<double> values;
    for (auto i = two.points.begin(world().rank()); i < two.points.end(world().rank()); ++i) {
        two.places.push_back(places[static_cast<std::size_t>(i)]);
        values.push_back(two.places.back()[2]);
    }
    for (auto i = two.cells.begin(world().rank()); i < two.cells.end(world().rank()); ++i) {
        two.kinds.push_back(cell_kind::hexahedron);
        for (int const c : {0, 1, 3, 2, 4, 5, 7, 6}) two.corners.push_back(8 * i + c);
    }
    auto const apart = contour(world(), two, values, {.values = {0.5}});
    EXPECT_EQ(apart.of_values[0].points, 8);
    EXPECT_EQ(apart.of_values[0].components, 2);
    two.of_points.push_back({"z", 1, values});
    weft::mesh const merged = with_points_merged(world(), two, 1e-6);
    EXPECT_EQ(merged.points.total(), 12);
    auto const joined = contour(world(), merged, merged.of_points[0].values, {.values = {0.5}});
    EXPECT_EQ(joined.of_values[0].points, 6);
    EXPECT_EQ(joined.of_values[0].triangles, 4);
    EXPECT_EQ(joined.of_values[0].components, 1);
}

TEST(mesh, refuses_what_is_none) {
    cut_cubes const good = mesh_of(weft_test::noise_of({3, 3, 3}), {cell_kind::hexahedron});
    bool const last = world().rank() == world().size() - 1;
    auto const complains = [&](auto spoil) {
        weft::mesh bad = good.mesh;
        if (last) spoil(bad);
        EXPECT_THROW(check(world(), bad), weft::usage_error);
    };
    check(world(), good.mesh);
    complains([](weft::mesh& of) { of.corners.back() = 27; });
    complains([](weft::mesh& of) { of.corners.back() = -1; });
    complains([](weft::mesh& of) { of.corners.pop_back(); });
    complains([](weft::mesh& of) { of.kinds.push_back(cell_kind::prism); });
    complains([](weft::mesh& of) { of.places.pop_back(); });
    complains([](weft::mesh& of) { of.places.back()[1] = std::nan(""); });
    complains([](weft::mesh& of) { of.of_cells.push_back({"few", 2, {1}}); });
    std::vector<double> few = good.values;
    if (last) few.pop_back();
    EXPECT_THROW((void)contour(world(), good.mesh, few, {.values = {1}}), weft::usage_error);
}

} // namespace
