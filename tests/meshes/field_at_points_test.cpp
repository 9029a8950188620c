#include <meshes/field_at_points.hpp>

#include <weft/contouring/contour.hpp>
#include <weft/protocol/collectives.hpp>

#include "../contouring/balls.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace weft;
using weft_test::rank;
using weft_test::world;

namespace {

/// Cubes in a row along x, dealt to all ranks, with a value and a number each.
mesh_input row_of_cubes(std::vector<double> const& values) {
    auto const cubes = static_cast<std::int64_t>(values.size());
    mesh_input made;
    made.of.points = block_distribution::uniform(world(), 4 * (cubes + 1));
    made.of.cells = block_distribution::uniform(world(), cubes);
    for (global_id id = made.of.points.begin(rank()); id < made.of.points.end(rank()); ++id)
        made.of.places.push_back(
            {static_cast<double>(id / 4), static_cast<double>(id & 1), static_cast<double>(id >> 1 & 1)});
    made.field = {"f", 1, {}};
    made.of.of_cells.push_back({"number", 1, {}});
    made.field_of_cells = true;
    for (global_id cube = made.of.cells.begin(rank()); cube < made.of.cells.end(rank()); ++cube) {
        made.of.kinds.push_back(cell_kind::hexahedron);
        global_id const at = 4 * cube;
        made.of.corners.insert(
            made.of.corners.end(), {at, at + 4, at + 5, at + 1, at + 2, at + 6, at + 7, at + 3});
        made.field.values.push_back(values[static_cast<std::size_t>(cube)]);
        made.of.of_cells[0].values.push_back(static_cast<double>(cube));
    }
    return made;
}

} // namespace

TEST(field_at_points, has_the_mean_of_the_cells_around_each_point) {
    mesh_input const found = with_field_at_points(world(), row_of_cubes({1, 3, 7, 7}));
    EXPECT_FALSE(found.field_of_cells);
    std::vector<double> const expected{1, 2, 5, 7, 7};
    global_id const first = found.of.points.begin(rank());
    ASSERT_EQ(found.field.values.size(), static_cast<std::size_t>(found.of.points.size(rank())));
    for (std::size_t i = 0; i < found.field.values.size(); ++i)
        EXPECT_EQ(
            found.field.values[i], expected[static_cast<std::size_t>(first + static_cast<global_id>(i)) / 4]);
    auto const cut = contour(world(), found.of, found.field.values, {.values = {1.5}});
    EXPECT_EQ(cut.of_values[0].triangles, 2);
    EXPECT_EQ(cut.of_values[0].area, 1);
}

TEST(field_at_points, leaves_out_cells_without_a_value) {
    double const none = std::numeric_limits<double>::quiet_NaN();
    mesh_input const found = with_field_at_points(world(), row_of_cubes({1, none, none, 7, 9}));
    EXPECT_EQ(found.of.cells.total(), 3);
    check(world(), found.of);
    std::vector<double> const expected{1, 1, none, 7, 8, 9};
    global_id const first = found.of.points.begin(rank());
    for (std::size_t i = 0; i < found.field.values.size(); ++i) {
        double const here = expected[static_cast<std::size_t>(first + static_cast<global_id>(i)) / 4];
        if (std::isnan(here))
            EXPECT_TRUE(std::isnan(found.field.values[i]));
        else
            EXPECT_EQ(found.field.values[i], here);
    }
    double numbers = 0;
    for (double const each : found.of.of_cells[0].values) numbers += each;
    EXPECT_EQ(weft::sum(world(), static_cast<std::int64_t>(numbers)), 0 + 3 + 4);
}

TEST(field_at_points, is_a_field_of_points_as_it_was) {
    mesh_input of = row_of_cubes({1, 2});
    of.field_of_cells = false;
    of.field.values.assign(of.of.places.size(), 5);
    mesh_input const found = with_field_at_points(world(), of);
    EXPECT_EQ(found.field.values, of.field.values);
}
