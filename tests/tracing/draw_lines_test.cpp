/// Lines as a picture.
#include <tracing/draw_lines.hpp>

#include <tracing/line_canvas.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>

namespace {

int brightness(std::vector<std::uint8_t> const& rgb, int width, int x, int y) {
    std::size_t const at =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return rgb[at] + rgb[at + 1] + rgb[at + 2];
}

} // namespace

TEST(draw_lines, colours_of_speed_get_lighter_evenly) {
    double last = -1;
    for (int i = 0; i <= 20; ++i) {
        auto const of = weft::speed_colour(i / 20.0);
        double const light = 0.2126 * of[0] + 0.7152 * of[1] + 0.0722 * of[2];
        EXPECT_GT(light, last);
        last = light;
    }
}

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

TEST(draw_lines, lines_are_seen) {
    if (weft_test::rank() != 0) return; // a picture takes some 100 MB
    weft::flow_domain const domain{
        {weft::flow_axis({0, 1}), weft::flow_axis({0, 1}), weft::flow_axis({0, 1})}, weft::flow_axis({0})};
    weft::line_set const lines{
        {0}, {3}, {{{0.1F, 0.1F, 0.1F}, 1}, {{0.5F, 0.5F, 0.5F}, 2}, {{0.9F, 0.2F, 0.9F}, 3}}};
    weft::picture const drawn = weft::draw_lines(lines, domain);
    ASSERT_EQ(drawn.rgb.size(), static_cast<std::size_t>(3 * drawn.width * drawn.height));
    int lit = 0; // brighter than the frame
    for (int y = 0; y < static_cast<int>(drawn.height); ++y)
        for (int x = 0; x < static_cast<int>(drawn.width) - 200; ++x) // without the scale
            lit += brightness(drawn.rgb, static_cast<int>(drawn.width), x, y) > 330 ? 1 : 0;
    EXPECT_GT(lit, 500);
}
