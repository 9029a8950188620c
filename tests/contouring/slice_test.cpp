#include <weft/contouring/slice.hpp>

#include "cubes.hpp"

#include <weft/core/error.hpp>

#include <cmath>
#include <limits>

namespace {

using weft::cell_kind;
using weft_test::layers_of;
using weft_test::world;

TEST(slice, of_a_cube_is_a_hexagon_across_its_diagonal) {
    auto const field = weft_test::noise_of({9, 9, 9});
    weft::plane const across{{4, 4, 4}, {2, 2, 2}};
    double const area = 3 * std::sqrt(3.0) / 2 * 32; // of a hexagon with sides of 4 roots of 2
    auto const of_grid = slice(world(), {.points = field.points}, layers_of(field), "noise", across);
    EXPECT_NEAR(of_grid.of_values.at(0).area, area, 1e-9);
    EXPECT_EQ(of_grid.of_values[0].components, 1);
    EXPECT_LE(of_grid.imbalance_after, 0.1);
    ASSERT_EQ(of_grid.made.of_points.at(0).name, "noise");
    for (auto const& place : of_grid.made.places) EXPECT_NEAR(place[0] + place[1] + place[2], 12, 1e-12);
    for (cell_kind const kind :
        {cell_kind::tetrahedron, cell_kind::prism, cell_kind::pyramid, cell_kind::hexahedron}) {
        auto cubes = weft_test::mesh_of(field, {kind});
        cubes.mesh.of_points.push_back({"noise", 1, cubes.values});
        auto const of_mesh = slice(world(), cubes.mesh, across);
        EXPECT_NEAR(of_mesh.of_values[0].area, area, 1e-9);
        EXPECT_EQ(of_mesh.of_values[0].components, 1);
        if (kind == cell_kind::hexahedron) {
            EXPECT_EQ(all_gatherv(world(), of_mesh.made.of_points[0].values).size(),
                all_gatherv(world(), of_grid.made.of_points[0].values).size());
        }
    }
}

TEST(slice, along_a_layer_has_the_values_of_its_points) {
    auto const field = weft_test::noise_of({4, 5, 6});
    auto const found =
        slice(world(), {.points = field.points}, layers_of(field), "noise", {{0, 0, 2}, {0, 0, 1}});
    EXPECT_EQ(found.of_values[0].points, 20);
    EXPECT_EQ(found.of_values[0].area, 12);
    auto const values = all_gatherv(world(), found.made.of_points[0].values);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(values[i], field.values[40 + i], 1e-12);
}

TEST(slice, of_a_turned_grid_is_where_the_plane_is) {
    auto const field = weft_test::noise_of({9, 9, 9});
    weft::grid_lines grid{.points = field.points};
    grid.place = {{10, 20, 30}, {{{0, -1, 0}, {0, 0, 1}, {2, 0, 0}}}};
    auto const found = slice(world(), grid, layers_of(field), "noise", {{0, 0, 33}, {0, 0, 1}});
    EXPECT_NEAR(found.of_values.at(0).area, 64, 1e-9);
    for (auto const& place : found.made.places) {
        EXPECT_NEAR(place[2], 33, 1e-12);
        EXPECT_TRUE(2 <= place[0] && place[0] <= 10 && 20 <= place[1] && place[1] <= 28);
    }
}

TEST(slice, leaves_out_cells_without_a_value) {
    auto field = weft_test::noise_of({4, 4, 4});
    field.values[0] = -99;
    field.values[3] = std::numeric_limits<double>::infinity();
    weft::grid_lines grid{.points = field.points};
    grid.missing = -99;
    EXPECT_EQ(
        slice(world(), grid, layers_of(field), "noise", {{0, 0, 0.5}, {0, 0, 1}}).of_values[0].active_cells,
        7);
}

TEST(slice, beside_everything_is_empty_and_a_plane_needs_a_normal) {
    auto const field = weft_test::noise_of({3, 3, 3});
    auto const cut = [&](weft::plane const& by) {
        return slice(world(), {.points = field.points}, layers_of(field), "noise", by).of_values[0];
    };
    EXPECT_EQ(cut({{0, 0, 9}, {0, 0, 1}}), weft::contour_counts{});
    EXPECT_THROW((void)cut({{0, 0, 0}, {0, 0, 0}}), weft::usage_error);
    EXPECT_THROW((void)cut({{std::nan(""), 0, 0}, {0, 0, 1}}), weft::usage_error);
}

TEST(slice, what_lap_throws_on_one_rank_is_thrown_on_all) {
    auto const field = weft_test::noise_of({3, 3, 3});
    for (std::string const wrong : {"find", "balance", "kernel", "number"}) {
        weft::slice_options options;
        if (weft_test::rank() == weft_test::size() - 1)
            options.lap = [&](std::string_view phase) {
                if (phase == wrong) throw weft::usage_error("no more laps");
            };
        EXPECT_THROW((void)slice(world(), {.points = field.points}, layers_of(field), "noise",
                         {{0, 0, 1}, {0, 0, 1}}, options),
            weft::usage_error);
    }
}

} // namespace
