#include <pictures/surface_canvas.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>

namespace {

using corner = weft::surface_canvas::corner;

/// Half of a picture of 40 x 40 pixels at a depth: the right upper or the left lower one.
void half(weft::surface_canvas& on, bool upper, double depth, weft::colour const& of, float towards = 1) {
    auto const at = [&](double x, double y) { return corner{{x, y, depth}, {0, 0, towards}, of}; };
    on.triangle(at(0, 0), at(40, 40), upper ? at(40, 0) : at(0, 40));
}

std::array<std::uint8_t, 3> pixel(weft::picture const& of, std::int64_t x, std::int64_t y) {
    auto const at = static_cast<std::size_t>(3 * (y * of.width + x));
    return {of.rgb[at], of.rgb[at + 1], of.rgb[at + 2]};
}

} // namespace

TEST(surface_canvas, a_nearer_triangle_hides_a_farther_one_in_any_order) {
    weft::colour const red{1, 0, 0};
    weft::colour const blue{0, 0, 1};
    weft::surface_canvas one(40, 40);
    half(one, true, 0.75, red);
    half(one, true, 0.25, blue);
    weft::surface_canvas other(40, 40);
    half(other, true, 0.25, blue);
    half(other, true, 0.75, red);
    auto const seen = one.drawn({0, 0, 0});
    EXPECT_EQ(seen.rgb, other.drawn({0, 0, 0}).rgb);
    EXPECT_GT(pixel(seen, 30, 10)[0], 150);
    EXPECT_GT(pixel(seen, 30, 10)[0], pixel(seen, 30, 10)[2] + 80);
    EXPECT_EQ(pixel(seen, 10, 30), (std::array<std::uint8_t, 3>{0, 0, 0}));
}

TEST(surface_canvas, maxima_of_two_canvases_are_the_picture_of_both) {
    weft::surface_canvas whole(40, 40);
    weft::surface_canvas first(40, 40);
    weft::surface_canvas second(40, 40);
    half(whole, true, 0.5, {1, 0, 0});
    half(first, true, 0.5, {1, 0, 0});
    half(whole, false, 0.5, {0, 1, 0});
    half(second, false, 0.5, {0, 1, 0});
    std::ranges::transform(first.samples(), second.samples(), first.samples().begin(),
        [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
    EXPECT_EQ(first.drawn({1, 1, 1}).rgb, whole.drawn({1, 1, 1}).rgb);
}

TEST(surface_canvas, a_farther_triangle_shines_through_the_samples_that_a_nearer_one_leaves) {
    weft::surface_canvas both(40, 40);
    auto const at = [](double x, double y, double depth, weft::colour const& of) {
        return corner{{x, y, depth}, {0, 0, 1}, of};
    };
    weft::surface_canvas::sample_mask const every_other = 0b0101'1010'0101'1010;
    both.triangle(
        at(0, 0, 0.75, {1, 0, 0}), at(80, 0, 0.75, {1, 0, 0}), at(0, 80, 0.75, {1, 0, 0}), every_other);
    both.triangle(at(0, 0, 0.25, {0, 0, 1}), at(20, 0, 0.25, {0, 0, 1}), at(0, 20, 0.25, {0, 0, 1}));
    auto const seen = both.drawn({0, 0, 0});
    EXPECT_GT(pixel(seen, 5, 5)[0], 100);
    EXPECT_GT(pixel(seen, 5, 5)[2], 100);
    EXPECT_GT(pixel(seen, 30, 30)[0], 100);
    EXPECT_LT(pixel(seen, 30, 30)[2], 60);
    EXPECT_EQ(pixel(seen, 6, 5), pixel(seen, 5, 5)); // no pattern over pixels
}

TEST(surface_canvas, is_lit_on_both_sides) {
    weft::surface_canvas front(40, 40);
    weft::surface_canvas back(40, 40);
    half(front, true, 0.5, {0.5F, 0.5F, 0.5F});
    half(back, true, 0.5, {0.5F, 0.5F, 0.5F}, -1);
    EXPECT_EQ(front.drawn({0, 0, 0}).rgb, back.drawn({0, 0, 0}).rgb);
    EXPECT_GT(pixel(front.drawn({0, 0, 0}), 30, 10)[1], 100);
}

TEST(surface_canvas, leaves_out_what_lies_beside_it) {
    weft::surface_canvas canvas(8, 8);
    auto const at = [](double x, double y) { return corner{{x, y, 0.5}, {0, 0, 1}, {1, 1, 1}}; };
    canvas.triangle(at(-100, -100), at(-50, -100), at(-50, -50));
    canvas.triangle(at(3, 3), at(3, 3), at(5, 5));
    EXPECT_EQ(std::ranges::count(canvas.samples(), 0U), 256);
    canvas.triangle(at(-100, -100), at(100, -100), at(-100, 300));
    EXPECT_EQ(std::ranges::count(canvas.samples(), 0U), 0);
}
