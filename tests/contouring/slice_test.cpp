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

TEST(slice, has_the_faces_on_either_end_of_what_there_is) {
    auto const field = weft_test::noise_of({4, 5, 3});
    for (int const side : {0, 1})
        for (double const sign : {1.0, -1.0})
            for (std::size_t axis = 0; axis < 3; ++axis) {
                weft::plane by{{}, {0, 0, 0}};
                by.normal[axis] = sign;
                by.through[axis] = side == 0 ? 0 : static_cast<double>(field.points[axis] - 1);
                double const area = 24.0 / static_cast<double>(field.points[axis] - 1);
                std::int64_t const points = 60 / field.points[axis];
                auto const of_grid =
                    slice(world(), {.points = field.points}, layers_of(field), "noise", by).of_values[0];
                EXPECT_EQ(of_grid.area, area);
                EXPECT_EQ(of_grid.points, points);
                EXPECT_EQ(of_grid.components, 1);
                for (cell_kind const kind : {cell_kind::tetrahedron, cell_kind::prism, cell_kind::hexahedron})
                    EXPECT_NEAR(slice(world(), weft_test::mesh_of(field, {kind}).mesh, by).of_values[0].area,
                        area, 1e-12);
            }
}

/// The marks of the cells of a rank's layers, by those of the whole grid.
std::vector<std::uint8_t> marks_of(
    weft_test::field const& of, std::vector<weft::grid_values<double>> const& mine, auto&& is_marked) {
    std::vector<std::uint8_t> marks;
    for (auto const& part : mine)
        for (std::int64_t z = part.points.lo[2]; z + 1 < part.points.hi[2]; ++z)
            for (std::int64_t y = 0; y + 1 < of.points[1]; ++y)
                for (std::int64_t x = 0; x + 1 < of.points[0]; ++x)
                    marks.push_back(is_marked(x, y, z) ? 1 : 0);
    return marks;
}

TEST(slice, has_faces_that_hidden_cells_leave_open) {
    auto const field = weft_test::noise_of({5, 4, 6});
    auto mine = layers_of(field);
    auto const hidden =
        marks_of(field, mine, [](std::int64_t x, auto, std::int64_t z) { return x < 2 && z < 3; });
    for (auto& part : mine) part.hidden = hidden;
    // Below the layer at 3 the cells of half the width are there, above it all are: one plane, from two
    // sides.
    auto const at = [&](double z) {
        return slice(world(), {.points = field.points}, mine, "noise", {{0, 0, z}, {0, 0, 1}}).of_values[0];
    };
    EXPECT_EQ(at(3).area, 12);
    EXPECT_EQ(at(2).area, 6);
    EXPECT_EQ(at(0).area, 6);
    EXPECT_EQ(at(5).area, 12);
}

TEST(slice, of_values_of_cells_has_them_on_its_triangles) {
    auto const field = weft_test::noise_of({4, 3, 5});
    auto mine = layers_of(field);
    std::vector<double> values;
    for (auto const& part : mine)
        for (std::int64_t z = part.points.lo[2]; z + 1 < part.points.hi[2]; ++z)
            for (int i = 0; i < 6; ++i) values.push_back(static_cast<double>(10 * z + i));
    for (auto& part : mine) part.values = values;
    weft::grid_lines const grid{.points = field.points, .missing = 22, .values_of_cells = true};
    auto const found = slice(world(), grid, mine, "layer", {{0, 0, 2.5}, {0, 0, 1}});
    EXPECT_EQ(found.of_values[0].area, 5); // one of six has no value
    ASSERT_EQ(found.made.of_triangles.at(0).name, "layer");
    EXPECT_TRUE(found.made.of_points.empty());
    EXPECT_EQ(all_gatherv(world(), found.made.of_triangles[0].values),
        (std::vector<double>{20, 20, 21, 21, 23, 23, 24, 24, 25, 25}));
    EXPECT_EQ(slice(world(), grid, mine, "layer", {{0, 0, 0}, {0, 0, 1}}).of_values[0].area, 6);
}

TEST(slice, of_one_layer_is_the_layer) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (double const sign : {1.0, -1.0}) {
            auto field = weft_test::noise_of({4, 5, 6});
            field.points[axis] = 1;
            field.values.resize(
                static_cast<std::size_t>(field.points[0] * field.points[1] * field.points[2]));
            std::vector<weft::grid_values<double>> mine; // of the last rank
            if (world().rank() + 1 == world().size())
                mine.push_back({{3, {}, {field.points[0], field.points[1], field.points[2]}}, field.values});
            weft::grid_lines grid{.points = field.points};
            grid.axes[axis] = {7.5};
            weft::plane by{{7.5, 7.5, 7.5}, {0, 0, 0}};
            by.normal[axis] = sign;
            auto const found = slice(world(), grid, mine, "noise", by);
            EXPECT_EQ(found.of_values[0].area, 60.0 / static_cast<double>(axis == 0 ? 3 : axis == 1 ? 4 : 5));
            EXPECT_EQ(all_gatherv(world(), found.made.of_points[0].values).size(), field.values.size());
            by.normal[(axis + 1) % 3] = 1; // across it
            EXPECT_EQ(slice(world(), grid, mine, "noise", by).of_values[0].area, 0);
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
