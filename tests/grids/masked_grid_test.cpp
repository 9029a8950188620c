#include <grids/grid_files.hpp>
#include <grids/views/masked_grid.hpp>
#include <grids/views/memory_grid.hpp>

#include <weft/core/error.hpp>

#include <cmath>
#include <limits>

using namespace weft;
using namespace weft_test;

namespace {

/// The test grid of 3 x 2 x 2 points.
template <class T>
std::unique_ptr<grid_source> plain(value_type type, int components = 1) {
    grid_shape shape;
    shape.points = {3, 2, 2};
    shape.components = components;
    shape.type = type;
    number_axes(shape);
    auto const values = std::make_shared<std::vector<T>>(values_in<T>({3, {}, {3, 2, 2}}, components));
    return grid_in_memory(std::move(shape), std::as_bytes(std::span(*values)), values);
}

grid_mask hides(std::size_t value) {
    grid_mask mask;
    mask.values.resize(12);
    mask.values[value] = 2;
    return mask;
}

TEST(masked_grid, hidden_values_are_missing_and_others_as_they_were) {
    auto const bytes = with_mask(plain<std::uint8_t>(value_type::uint8), hides(7), "a.vti");
    ASSERT_EQ(bytes->shape().type, value_type::int16);
    auto const read = read_box<std::int16_t>(*bytes, {3, {0, 0, 1}, {3, 2, 2}});
    EXPECT_EQ(read[0], 31);
    EXPECT_EQ(static_cast<double>(read[1]), bytes->shape().missing);
    auto const reals = with_mask(plain<float>(value_type::float32, 3), hides(1), "a.vti");
    auto const three = read_box<float>(*reals, {3, {0, 0, 0}, {3, 1, 1}});
    EXPECT_EQ(three[2], 6);
    for (std::size_t c = 3; c < 6; ++c) EXPECT_TRUE(std::isnan(three[c]));
    EXPECT_EQ(three[6], 2);
}

TEST(masked_grid, nothing_hidden_is_the_source_itself) {
    auto source = plain<std::int16_t>(value_type::int16);
    grid_source const* const before = source.get();
    EXPECT_EQ(with_mask(std::move(source), {std::vector<std::uint8_t>(12), {0, 0}}, "a.vti").get(), before);
}

TEST(masked_grid, an_integer_of_64_bits_that_is_the_mark_is_refused) {
    grid_shape shape;
    shape.points = {3, 1, 1};
    shape.type = value_type::int64;
    number_axes(shape);
    auto const values = std::make_shared<std::vector<std::int64_t>>(
        std::vector<std::int64_t>{1, 2, std::numeric_limits<std::int64_t>::lowest()});
    auto const grid = with_mask(grid_in_memory(std::move(shape), std::as_bytes(std::span(*values)), values),
        {{1, 0, 0}, {}}, "a.vti");
    EXPECT_EQ(read_box<std::int64_t>(*grid, {3, {1, 0, 0}, {2, 1, 1}}), std::vector<std::int64_t>{2});
    EXPECT_THROW((void)read_box<std::int64_t>(*grid, {3, {}, {3, 1, 1}}), io_error);
}

TEST(masked_grid, says_which_cells_of_a_box_are_hidden) {
    auto const grid = with_mask(plain<float>(value_type::float32), {{}, {0, 32}}, "a.vti");
    ASSERT_TRUE(grid->shape().hides_cells);
    std::vector<std::uint8_t> marks(2, 9);
    grid->read_hidden({3, {}, {2, 1, 1}}, marks);
    EXPECT_EQ(marks, (std::vector<std::uint8_t>{0, 1}));
    grid->read_hidden({3, {1, 0, 0}, {2, 1, 1}}, std::span(marks).first(1));
    EXPECT_EQ(marks[0], 1);
    expect_test_grid<float>(*grid);
}

} // namespace
