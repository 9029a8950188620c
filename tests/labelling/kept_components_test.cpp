#include <labelling/kept_components.hpp>

#include "volume_rig.hpp"

#include <algorithm>

using weft::block_id;

namespace {

/// The labels of the whole volume, from what the blocks of all ranks have.
void expect_painted(weft::block_set<weft::labelled_block>& blocks, weft_test::volume const& of,
    std::vector<std::int64_t> const& expected) {
    blocks.for_each([&](weft::labelled_block& block, block_id) {
        weft::painted_box const painted = paint_labels(block.rows, block.whole, false);
        auto const& box = block.rows.bounds;
        std::size_t next = 0;
        for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z)
            for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y)
                for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x)
                    ASSERT_EQ(painted.narrow[next++], expected[of.place(x, y, z)])
                        << x << ", " << y << ", " << z;
    });
}

/// Drops components as `kept` says from labels of the whole, and numbers the others from 1.
weft::dropped_components drop_serially(std::vector<std::int64_t>& labels, weft::kept_components const& kept) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(*std::ranges::max_element(labels)) + 1, 0);
    for (std::int64_t const each : labels) ++sizes[static_cast<std::size_t>(each)];
    std::vector<std::int64_t> by_size;
    for (std::size_t number = 1; number < sizes.size(); ++number)
        if (sizes[number] >= kept.dust) by_size.push_back(static_cast<std::int64_t>(number));
    std::ranges::stable_sort(by_size, [&](std::int64_t a, std::int64_t b) {
        return sizes[static_cast<std::size_t>(a)] > sizes[static_cast<std::size_t>(b)];
    });
    if (kept.largest && std::ssize(by_size) > *kept.largest)
        by_size.resize(static_cast<std::size_t>(*kept.largest));
    std::ranges::sort(by_size);
    weft::dropped_components dropped{std::ssize(sizes) - 1 - std::ssize(by_size), 0};
    for (std::int64_t& each : labels) {
        if (each == 0) continue;
        auto const found = std::ranges::lower_bound(by_size, each);
        bool const stays = found != by_size.end() && *found == each;
        dropped.voxels += stays ? 0 : 1;
        each = stays ? found - by_size.begin() + 1 : 0;
    }
    return dropped;
}

} // namespace

TEST(kept_components, any_blocks_keep_what_a_serial_program_keeps) {
    std::mt19937_64 random = weft_test::random();
    weft::kept_components const choices[] = {{.dust = 3, .largest = {}}, {.dust = 0, .largest = 1},
        {.dust = 2, .largest = 5}, {.dust = 0, .largest = 100000}, {.dust = 100000, .largest = 2}};
    for (unsigned const percent : {0U, 15U, 30U, 100U})
        for (std::int64_t const count : {1, 5, 12}) {
            weft_test::volume const made = weft_test::random_volume({9, 8, 12}, percent, random);
            weft::regular_grid<std::int64_t> const grid(made.all(), count);
            auto const where = weft::assignment::round_robin(grid.blocks(), weft_test::size());
            for (weft::kept_components const& kept : choices) {
                auto blocks = weft_test::blocks_of(made, grid, where);
                weft::label_options const options{.neighbors = {.corners = true}};
                weft::label_summary summary = label_blocks(blocks, grid, options);
                std::int64_t const before = summary.components;
                auto const dropped = drop_components(blocks, grid, options, kept, summary);

                std::vector<std::int64_t> labels = flooded(made, options.neighbors);
                auto const expected = drop_serially(labels, kept);
                EXPECT_EQ(dropped.components, expected.components) << percent << " %, " << count;
                EXPECT_EQ(dropped.voxels, expected.voxels);
                EXPECT_EQ(summary.components, before - dropped.components);
                expect_painted(blocks, made, labels);
            }
        }
}
