#include <grids/grid_files.hpp>
#include <grids/views/memory_grid.hpp>
#include <grids/views/scaled_grid.hpp>

using namespace weft;
using namespace weft_test;

namespace {

template <class T>
std::unique_ptr<grid_source> scaled(value_type type, double slope, double offset) {
    grid_shape shape{.points = {4, 3, 2}, .axes = {}};
    number_axes(shape);
    shape.type = type;
    auto const values = std::make_shared<std::vector<T>>(values_in<T>(points_of(shape)));
    return with_scaled_values(
        grid_in_memory(shape, std::as_bytes(std::span(*values)), values), slope, offset);
}

TEST(scaled_grid, each_box_has_its_values) {
    auto const narrow = scaled<std::int16_t>(value_type::int16, 0.5, -3);
    ASSERT_EQ(narrow->shape().type, value_type::float32);
    auto const wide = scaled<std::int32_t>(value_type::int32, 0.1, 7);
    ASSERT_EQ(wide->shape().type, value_type::float64);
    for (auto const& each : some_boxes(4, 3, 2)) {
        auto const stored = values_in<double>(each);
        auto const of_narrow = read_box<float>(*narrow, each);
        auto const of_wide = read_box<double>(*wide, each);
        ASSERT_EQ(of_narrow.size(), stored.size());
        for (std::size_t i = 0; i < stored.size(); ++i) {
            EXPECT_EQ(of_narrow[i], static_cast<float>(0.5 * stored[i] - 3));
            EXPECT_EQ(of_wide[i], 0.1 * stored[i] + 7);
        }
    }
}

} // namespace
