/// Lines as a picture.
#include <tracing/draw_lines.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>

namespace {

int brightness(std::vector<std::uint8_t> const& rgb, int width, int x, int y) {
    std::size_t const at =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return rgb[at] + rgb[at + 1] + rgb[at + 2];
}

} // namespace

TEST(draw_lines, lines_are_seen) {
    if (weft_test::rank() != 0) return; // a picture takes some 100 MB
    weft::flow_domain const domain{
        {weft::flow_axis({0, 1}), weft::flow_axis({0, 1}), weft::flow_axis({0, 1})}, weft::flow_axis({0})};
    weft::line_set const lines{
        {0}, {3}, {{{0.1F, 0.1F, 0.1F}, 1}, {{0.5F, 0.5F, 0.5F}, 2}, {{0.9F, 0.2F, 0.9F}, 3}}};
    weft::picture const drawn = weft::draw_lines(lines, domain, {.title = "a title"}, weft::dark_theme());
    ASSERT_EQ(drawn.rgb.size(), static_cast<std::size_t>(3 * drawn.width * drawn.height));
    int lit = 0; // brighter than the frame
    for (int y = 0; y < static_cast<int>(drawn.height); ++y)
        for (int x = 0; x < static_cast<int>(drawn.width) - 200; ++x) // without the scale
            lit += brightness(drawn.rgb, static_cast<int>(drawn.width), x, y) > 330 ? 1 : 0;
    EXPECT_GT(lit, 500);
}
