#include <weft/grids/grid_shape.hpp>

#include <grids/grid_source.hpp>

#include <harness/mpi_test.hpp>

#include <weft/core/error.hpp>

#include <limits>

using namespace weft;

namespace {

TEST(grid_shape, types_have_names_and_sizes) {
    for (value_type const type : {value_type::int8, value_type::uint8, value_type::int16, value_type::uint16,
             value_type::int32, value_type::uint32, value_type::int64, value_type::uint64,
             value_type::float32, value_type::float64}) {
        EXPECT_EQ(value_type_named(name_of(type)), type);
        std::vector<std::byte> const two(2 * size_of(type));
        EXPECT_EQ(visit_values(type, two, [](auto values) { return values.size(); }), 2U);
    }
    EXPECT_THROW((void)value_type_named("float"), usage_error);
}

TEST(grid_shape, points_are_a_box) {
    EXPECT_EQ(points_of({.points = {2, 3, 4}, .axes = {}}), cell_box(2, 3, 4));
}

TEST(grid_shape, an_axis_is_even_or_not) {
    auto const even = even_axis_of({10, 12.5, 15});
    ASSERT_TRUE(even);
    EXPECT_EQ(even->origin, 10);
    EXPECT_EQ(even->spacing, 2.5);
    ASSERT_TRUE(even_axis_of({7}));
    EXPECT_EQ(even_axis_of({7})->origin, 7);
    EXPECT_EQ(even_axis_of({7})->spacing, 1);
    EXPECT_TRUE(even_axis_of({0, 1.0005, 2}));
    EXPECT_FALSE(even_axis_of({0, 1.002, 2}));
    ASSERT_TRUE(even_axis_of({3, 2, 1}));
    EXPECT_EQ(even_axis_of({3, 2, 1})->spacing, -1);
    EXPECT_FALSE(even_axis_of({1, 1}));
    EXPECT_FALSE(even_axis_of({0, std::numeric_limits<double>::quiet_NaN(), 2}));
    EXPECT_FALSE(even_axis_of({}));
}

} // namespace
