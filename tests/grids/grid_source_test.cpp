#include <grids/grid_files.hpp>

#include <weft/core/error.hpp>

using namespace weft;
using namespace weft_test;

namespace {

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
