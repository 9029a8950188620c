#include <pictures/line_canvas.hpp>

#include <harness/mpi_test.hpp>

namespace {

int brightness(std::vector<std::uint8_t> const& rgb, int width, int x, int y) {
    std::size_t const at =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return rgb[at] + rgb[at + 1] + rgb[at + 2];
}

} // namespace

TEST(line_canvas, a_nearer_tube_hides_a_farther_one) {
    for (bool const near_first : {false, true}) {
        weft::line_canvas canvas(40, 40, {0, 0, 0});
        auto const vertical = [&] { canvas.line({20, 2, 5}, {20, 38, 5}, 3, {1, 0, 0}); };
        auto const across = [&] { canvas.line({2, 20, -5}, {38, 20, -5}, 3, {0, 0, 1}); };
        if (near_first) vertical();
        across();
        if (!near_first) vertical();
        auto const rgb = canvas.drawn().rgb;
        EXPECT_EQ(rgb[3 * (20 * 40 + 20)], 255);
        EXPECT_EQ(rgb[3 * (20 * 40 + 20) + 2], 0);
        EXPECT_EQ(rgb[3 * (20 * 40 + 5) + 2], 255);
        EXPECT_EQ(brightness(rgb, 40, 2, 2), 0);
    }
}

TEST(line_canvas, a_tube_is_lit_from_the_upper_left) {
    weft::line_canvas canvas(40, 40, {0, 0, 0});
    canvas.tube({-5, 20, 0}, {45, 20, 0}, 10, {0.5F, 0.5F, 0.5F}, {0.5F, 0.5F, 0.5F});
    auto const rgb = canvas.drawn().rgb;
    EXPECT_GT(brightness(rgb, 40, 20, 14), brightness(rgb, 40, 20, 28) + 100);
    EXPECT_EQ(brightness(rgb, 40, 20, 35), 0);
}
