#include <grids/grid_files.hpp>
#include <grids/views/memory_grid.hpp>
#include <grids/views/periodic_grid.hpp>

#include <weft/core/error.hpp>

using namespace weft;
using namespace weft_test;

namespace {

/// 4 x 3 x 2 points of the test grid, at 0, 1, 2, ...
std::unique_ptr<grid_source> stored() {
    grid_shape shape;
    shape.points = {4, 3, 2};
    shape.components = 2;
    shape.type = value_type::int16;
    number_axes(shape);
    auto const values =
        std::make_shared<std::vector<std::int16_t>>(values_in<std::int16_t>({3, {}, {4, 3, 2}}, 2));
    return grid_in_memory(std::move(shape), std::as_bytes(std::span(*values)), values);
}

std::string refusal(std::array<double, 3> const& periods) {
    try {
        (void)with_periodic_axes(stored(), periods);
    } catch (usage_error const& caught) { return caught.what(); }
    return "none";
}

} // namespace

TEST(periodic_grid, has_the_first_points_again_behind_the_last) {
    auto const grid = with_periodic_axes(stored(), {4, 0, 2.25});
    ASSERT_EQ(grid->shape().points, (std::array<std::int64_t, 3>{5, 3, 3}));
    EXPECT_EQ(grid->shape().axes[0], (std::vector<double>{0, 1, 2, 3, 4}));
    EXPECT_EQ(grid->shape().axes[2], (std::vector<double>{0, 1, 2.25}));
    for (std::int64_t x = 0; x < 5; ++x)
        for (std::int64_t z = 0; z < 3; ++z)
            for (std::int64_t end = x + 1; end <= 5; ++end) {
                box<std::int64_t> const part{3, {x, 1, z}, {end, 3, 3}};
                std::vector<std::int16_t> expected;
                for (std::int64_t k = z; k < 3; ++k)
                    for (std::int64_t j = 1; j < 3; ++j)
                        for (std::int64_t i = x; i < end; ++i)
                            for (int c = 0; c < 2; ++c)
                                expected.push_back(value_at<std::int16_t>(i % 4, j, k % 2, c));
                EXPECT_EQ(read_box<std::int16_t>(*grid, part), expected) << x << ' ' << z << ' ' << end;
            }
}

TEST(periodic_grid, stays_as_it_is_where_the_last_point_is_the_first_one_again) {
    auto source = stored();
    grid_source const* const before = source.get();
    EXPECT_EQ(with_periodic_axes(std::move(source), {3, 0, 1}).get(), before);
}

TEST(periodic_grid, of_a_period_that_cannot_be_is_an_error) {
    EXPECT_NE(refusal({2.5, 0, 0}).find("longer than its period"), std::string::npos);
    EXPECT_NE(refusal({0, 5, 0}).find("a hole"), std::string::npos);
    EXPECT_EQ(refusal({0, 3, 2}), "none");
}
