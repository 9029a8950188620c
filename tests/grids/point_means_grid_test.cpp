#include <grids/grid_files.hpp>
#include <grids/views/memory_grid.hpp>
#include <grids/views/point_means_grid.hpp>

#include <cmath>
#include <limits>

using namespace weft;
using namespace weft_test;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Values at the cells between points, whose axes are 0, 2, 4, ...
std::unique_ptr<grid_source> at_cells(
    std::array<std::int64_t, 3> const& points, std::vector<double> const& values) {
    grid_shape shape;
    shape.points = points;
    shape.type = value_type::float64;
    number_axes(shape);
    for (auto& axis : shape.axes)
        for (double& each : axis) each *= 2;
    move_to_cells(shape);
    auto const kept = std::make_shared<std::vector<double>>(values);
    return grid_in_memory(std::move(shape), std::as_bytes(std::span(*kept)), kept);
}

TEST(point_means_grid, a_point_has_the_mean_of_the_cells_around_it) {
    auto const grid = with_values_at_points(at_cells({4, 3, 1}, {1, 2, 3, 5, 7, 11}));
    ASSERT_EQ(grid->shape().points, (std::array<std::int64_t, 3>{4, 3, 1}));
    EXPECT_EQ(grid->shape().axes[0], (std::vector<double>{0, 2, 4, 6}));
    EXPECT_EQ(grid->shape().values_at, value_place::points);
    std::vector<double> const all{1, 1.5, 2.5, 3, 3, 3.75, 5.75, 7, 5, 6, 9, 11};
    EXPECT_EQ(read_box<double>(*grid, {3, {}, {4, 3, 1}}), all);
    EXPECT_EQ(read_box<double>(*grid, {3, {1, 1, 0}, {3, 2, 1}}), (std::vector<double>{3.75, 5.75}));
}

TEST(point_means_grid, cells_without_a_value_count_for_nothing_and_are_hidden) {
    auto const grid = with_values_at_points(at_cells({3, 2, 2}, {4, none}));
    auto const read = read_box<double>(*grid, {3, {}, {3, 1, 1}});
    EXPECT_EQ(read[0], 4);
    EXPECT_EQ(read[1], 4);
    EXPECT_TRUE(std::isnan(read[2]));
    std::vector<std::uint8_t> marks(2);
    grid->read_hidden({3, {}, {2, 1, 1}}, marks);
    EXPECT_EQ(marks, (std::vector<std::uint8_t>{0, 1}));
}

TEST(point_means_grid, an_axis_that_closes_has_its_first_cell_behind_the_last) {
    auto const grid = with_values_at_points(at_cells({4, 2, 2}, {1, 2, 6}), {true, false, false});
    EXPECT_EQ(read_box<double>(*grid, {3, {}, {4, 1, 1}}), (std::vector<double>{3.5, 1.5, 4, 3.5}));
    EXPECT_EQ(read_box<double>(*grid, {3, {3, 0, 0}, {4, 1, 1}}), std::vector<double>{3.5});
}

TEST(point_means_grid, of_values_at_points_is_the_source_itself) {
    grid_shape shape;
    number_axes(shape);
    float const value = 3;
    auto source = grid_in_memory(shape, std::as_bytes(std::span(&value, 1)), nullptr);
    grid_source const* const before = source.get();
    EXPECT_EQ(with_values_at_points(std::move(source)).get(), before);
}

} // namespace
