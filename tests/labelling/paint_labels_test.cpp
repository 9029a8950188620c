#include <labelling/paint_labels.hpp>

#include "volume_rig.hpp"

using weft_test::volume;

TEST(paint_labels, of_boxes_are_those_of_the_volume) {
    std::mt19937_64 random = weft_test::random();
    std::array<std::int64_t, 3> const shapes[] = {{7, 6, 5}, {5, 1, 9}, {1, 1, 12}};
    for (auto const& points : shapes) {
        volume const made = weft_test::random_volume(points, 40, random);
        std::vector<std::int64_t> const expected = flooded(made, {});
        weft::regular_grid<std::int64_t> const grid(made.all(), 5);
        auto blocks = weft_test::blocks_of(made, grid, weft::assignment::round_robin(5, weft_test::size()));
        (void)label_blocks(blocks, grid, {.neighbors = {}});
        blocks.for_each([&](weft::labelled_block& block, weft::block_id) {
            weft::painted_box const narrow = weft::paint_labels(block.rows, block.whole, false);
            weft::painted_box const wide = weft::paint_labels(block.rows, block.whole, true);
            EXPECT_TRUE(narrow.wide.empty());
            EXPECT_EQ(wide.wide, (std::vector<std::int64_t>{narrow.narrow.begin(), narrow.narrow.end()}));
            auto const& [dimensions, lo, hi] = narrow.bounds;
            std::size_t at = 0;
            for (std::int64_t z = lo[2]; z < hi[2]; ++z)
                for (std::int64_t y = lo[1]; y < hi[1]; ++y)
                    for (std::int64_t x = lo[0]; x < hi[0]; ++x)
                        EXPECT_EQ(wide.wide.at(at++),
                            expected.at(static_cast<std::size_t>((z * points[1] + y) * points[0] + x)));
            EXPECT_EQ(at, wide.wide.size());
        });
    }
}
