#include <grids/grid_files.hpp>
#include <grids/views/ascending_grid.hpp>
#include <grids/views/memory_grid.hpp>

using namespace weft;
using namespace weft_test;

namespace {

/// The test grid of 4 x 3 x 2 points, stored with some axes turned round.
std::unique_ptr<grid_source> stored(std::array<bool, 3> const& turned, int components) {
    grid_shape shape;
    shape.points = {4, 3, 2};
    shape.components = components;
    shape.type = value_type::int16;
    number_axes(shape);
    for (std::size_t d = 0; d < 3; ++d)
        if (turned[d]) std::ranges::reverse(shape.axes[d]);
    auto const values = std::make_shared<std::vector<std::int16_t>>();
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 4; ++x)
                for (int c = 0; c < components; ++c)
                    values->push_back(value_at<std::int16_t>(
                        turned[0] ? 3 - x : x, turned[1] ? 2 - y : y, turned[2] ? 1 - z : z, c));
    return grid_in_memory(std::move(shape), std::as_bytes(std::span(*values)), values);
}

} // namespace

TEST(ascending_grid, turns_axes_that_descend_with_their_values) {
    for (int which = 0; which < 8; ++which)
        for (int const components : {1, 3}) {
            auto const grid = with_ascending_axes(
                stored({(which & 1) != 0, (which & 2) != 0, (which & 4) != 0}, components));
            expect_test_grid<std::int16_t>(*grid, components);
            EXPECT_EQ(grid->shape().axes[0], (std::vector<double>{0, 1, 2, 3}));
            EXPECT_EQ(grid->shape().axes[2], (std::vector<double>{0, 1}));
        }
}

TEST(ascending_grid, leaves_others_alone) {
    auto source = stored({}, 1);
    grid_source const* const before = source.get();
    EXPECT_EQ(with_ascending_axes(std::move(source)).get(), before);
}
