#include <grids/grid_files.hpp>

#include <weft/core/error.hpp>

using namespace weft;
using namespace weft_test;

namespace {

TEST(grid_source, types_have_names_and_sizes) {
    for (value_type const type : {value_type::int8, value_type::uint8, value_type::int16, value_type::uint16,
             value_type::int32, value_type::uint32, value_type::float32, value_type::float64}) {
        EXPECT_EQ(value_type_named(name_of(type)), type);
        std::vector<std::byte> const two(2 * size_of(type));
        EXPECT_EQ(visit_values(type, two, [](auto values) { return values.size(); }), 2U);
    }
    EXPECT_THROW((void)value_type_named("float"), usage_error);
}

TEST(grid_source, a_suffix_that_is_not_known_is_an_error_that_lists_those_that_are) {
    EXPECT_NE(complaint("some.doc").find(".nc"), std::string::npos);
    EXPECT_NE(complaint("some").find("ends in ''"), std::string::npos);
}

TEST(grid_source, bytes_of_a_box) {
    grid_shape const shape{.points = {4, 4, 4}, .axes = {}, .components = 3, .type = value_type::int16};
    EXPECT_EQ(bytes_of(shape, points_of(shape)), 64U * 6);
    EXPECT_EQ(bytes_of(shape, {3, {2, 0, 0}, {1, 4, 4}}), 0U);
    EXPECT_THROW((void)bytes_of(shape, {2, {}, {1, 1}}), usage_error);
}

} // namespace
