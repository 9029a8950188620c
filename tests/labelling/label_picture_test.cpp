#include <labelling/label_picture.hpp>

#include "volume_rig.hpp"

#include <pictures/colour_map.hpp>

#include <algorithm>

using weft_test::volume;

namespace {

weft::picture drawn(volume const& of, std::int64_t count, weft::picture_view view, std::int64_t calm) {
    weft::regular_grid<std::int64_t> const grid(of.all(), count);
    auto blocks = weft_test::blocks_of(of, grid, weft::assignment::round_robin(count, weft_test::size()));
    (void)label_blocks(blocks, grid, {.neighbors = {}});
    std::vector<std::vector<std::byte>> values;
    std::vector<weft::painted_box> painted;
    blocks.for_each([&](weft::labelled_block& block, weft::block_id) {
        auto const part = of.part(block.rows.bounds);
        auto const bytes = std::as_bytes(std::span(part));
        values.emplace_back(bytes.begin(), bytes.end());
        painted.push_back(paint_labels(block.rows, block.whole, false));
    });
    std::vector<weft::seen_block> seen;
    for (std::size_t i = 0; i < painted.size(); ++i) seen.push_back({&values[i], &painted[i]});
    weft::grid_shape shape;
    shape.points = of.points;
    shape.type = weft::value_type::uint8;
    return draw_labels(
        weft_test::world(), shape, seen, view, calm, {"a title", "value"}, weft::light_theme());
}

/// Pixels of exactly a colour.
std::size_t count(weft::picture const& of, weft::colour const& wanted) {
    auto const rgb = weft::on_screen(wanted);
    std::size_t found = 0;
    for (std::size_t i = 0; i < of.rgb.size(); i += 3)
        found += std::equal(rgb.begin(), rgb.end(), of.rgb.begin() + static_cast<std::ptrdiff_t>(i)) ? 1 : 0;
    return found;
}

} // namespace

TEST(label_picture, blocks_do_not_show) {
    std::mt19937_64 random = weft_test::random();
    std::array<std::int64_t, 3> const shapes[] = {{40, 30, 26}, {2500, 3, 2}, {1, 1, 1}};
    for (auto const& points : shapes)
        for (auto const view : {weft::picture_view::slices, weft::picture_view::frames}) {
            volume const made = weft_test::random_volume(points, 20, random);
            weft::picture const whole = drawn(made, 1, view, 3);
            EXPECT_EQ(whole.rgb.empty(), weft_test::rank() != 0);
            EXPECT_EQ(whole.rgb.size(), static_cast<std::size_t>(whole.width * whole.height * 3));
            EXPECT_LT(whole.width, 3000);
            if (points[0] == 1) continue;
            EXPECT_EQ(drawn(made, 6, view, 3).rgb, whole.rgb) << made.name();
        }
}

TEST(label_picture, components_have_colours) {
    volume two{{3, 1, 1}, {1, 0, 1}};
    weft::picture const seen = drawn(two, 1, weft::picture_view::frames, 0);
    if (weft_test::rank() != 0) return;
    for (std::size_t const component : {1U, 2U}) EXPECT_GT(count(seen, weft::category(component)), 1000U);
    EXPECT_LT(count(seen, weft::category(4)), 100U);
}

TEST(label_picture, a_single_voxel_of_a_large_plane_has_a_ring) {
    std::array<std::int64_t, 3> const points{3001, 40, 1}; // two voxels a pixel
    volume one{points, std::vector<std::uint8_t>(3001 * 40)};
    one.values[3001 * 21 + 1501] = 1; // an odd place: not one of every second
    weft::picture const seen = drawn(one, 4, weft::picture_view::frames, 0);
    if (weft_test::rank() != 0) return;
    EXPECT_GT(count(seen, weft::category(1)), 40U);
}
