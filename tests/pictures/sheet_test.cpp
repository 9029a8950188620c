#include <pictures/sheet.hpp>
#include <pictures/theme.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

/// The darkest of red, green and blue at a pixel.
int darkest(weft::picture const& drawn, int x, int y) {
    auto const at = static_cast<std::size_t>((y * drawn.width + x) * 3);
    return std::min({drawn.rgb[at], drawn.rgb[at + 1], drawn.rgb[at + 2]});
}

/// Pixels of a picture that are not its ground, which is white.
int inked(weft::picture const& drawn) {
    int count = 0;
    for (int y = 0; y < drawn.height; ++y)
        for (int x = 0; x < drawn.width; ++x) count += darkest(drawn, x, y) < 200 ? 1 : 0;
    return count;
}

weft::colour const white{1, 1, 1};
weft::colour const black{0, 0, 0};

} // namespace

TEST(sheet, text_of_any_script_is_drawn_where_it_was_measured) {
    for (std::string const words : {"speed (m/s)", "Größe", "температура", "λ → ∞"}) {
        weft::sheet on(300, 60, white);
        weft::text_style const style{.size = 20, .ink = black, .at = weft::align::centre};
        on.text({150, 30}, words, style);
        weft::extent const size = on.size_of(words, style);
        weft::picture const drawn = on.drawn();
        EXPECT_GT(inked(drawn), 60) << words;
        for (int y = 0; y < drawn.height; ++y)
            for (int x = 0; x < drawn.width; ++x)
                if (darkest(drawn, x, y) < 200) {
                    ASSERT_LE(std::abs(x - 150), size.width / 2 + 2) << words;
                    ASSERT_LE(std::abs(y - 30), size.height / 2 + 2) << words;
                }
    }
}

TEST(sheet, text_upwards_takes_the_height_that_it_takes_in_width) {
    weft::sheet const on(10, 10, white);
    auto const flat = on.size_of("speed", {.size = 20});
    auto const steep = on.size_of("speed", {.size = 20, .upwards = true});
    EXPECT_EQ(flat.width, steep.height);
    EXPECT_EQ(flat.height, steep.width);
}

TEST(sheet, a_picture_is_put_pixel_by_pixel) {
    weft::picture small(5, 4);
    auto random = weft_test::random();
    for (auto& each : small.rgb) each = static_cast<std::uint8_t>(random());
    weft::sheet on(20, 20, white);
    on.put(small, {7, 9});
    weft::picture const drawn = on.drawn();
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 5; ++x)
            for (std::size_t c = 0; c < 3; ++c)
                ASSERT_EQ(drawn.rgb[static_cast<std::size_t>((y + 9) * 20 + x + 7) * 3 + c],
                    small.rgb[static_cast<std::size_t>(y * 5 + x) * 3 + c]);
    EXPECT_EQ(darkest(drawn, 6, 9), 255);
}

TEST(sheet, marks_differ_by_shape) {
    std::vector<weft::picture> drawn;
    for (auto const shape : {weft::mark::circle, weft::mark::square, weft::mark::diamond,
             weft::mark::triangle, weft::mark::cross}) {
        weft::sheet on(40, 40, white);
        on.put(shape, {20, 20}, 24, black);
        drawn.push_back(on.drawn());
        EXPECT_LT(darkest(drawn.back(), 20, 20), 50);
        for (std::size_t i = 0; i + 1 < drawn.size(); ++i) EXPECT_NE(drawn[i].rgb, drawn.back().rgb);
    }
}
