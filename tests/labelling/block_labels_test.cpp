#include <labelling/block_labels.hpp>

#include "volume_rig.hpp"

using weft::block_id;
using weft_test::volume;

namespace {

/// Every block has the labels that flooding the whole gives.
void expect_labels(volume const& of, weft::regular_grid<std::int64_t> const& grid, bool round_robin,
    weft::connectivity neighbors, bool asynchronous) {
    std::string const name = of.name() + ", " + std::to_string(grid.blocks()) + " blocks, corners " +
                             std::to_string(neighbors.corners) + ", planes " +
                             std::to_string(neighbors.across_planes) + ", iexchange " +
                             std::to_string(asynchronous);
    auto const where = round_robin ? weft::assignment::round_robin(grid.blocks(), weft_test::size())
                                   : weft::assignment::contiguous(grid.blocks(), weft_test::size());
    auto blocks = weft_test::blocks_of(of, grid, where);
    weft::label_summary const found =
        label_blocks(blocks, grid, {.neighbors = neighbors, .asynchronous = asynchronous});

    std::vector<std::int64_t> const expected = flooded(of, neighbors);
    EXPECT_EQ(found.components, *std::ranges::max_element(expected)) << name;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(found.components) + 1, 0);
    for (std::int64_t const each : expected) ++sizes[static_cast<std::size_t>(each)];
    sizes[0] = 0;
    for (std::size_t place = 0; place < found.largest.size(); ++place) {
        auto const largest = std::ranges::max_element(sizes);
        if (place == 0) { EXPECT_EQ(found.number_of_largest, largest - sizes.begin()) << name; }
        EXPECT_EQ(found.largest[place], *largest) << name;
        *largest = 0;
    }
    EXPECT_EQ(found.largest.size(), std::min<std::size_t>(10, sizes.size() - 1)) << name;

    blocks.for_each([&](weft::labelled_block& block, block_id) {
        weft::label_layer const& layer = neighbors.across_planes ? block.whole : block.plane;
        weft::painted_box const painted = paint_labels(block.rows, layer, false);
        auto const& box = block.rows.bounds;
        std::size_t next = 0;
        for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z)
            for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y)
                for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x)
                    ASSERT_EQ(painted.narrow[next++], expected[of.place(x, y, z)])
                        << name << " at " << x << ", " << y << ", " << z;
        EXPECT_EQ(next, painted.narrow.size());
    });
}

} // namespace

TEST(block_labels, any_blocks_give_the_labels_of_flooding) {
    std::mt19937_64 random = weft_test::random();
    std::array<std::int64_t, 3> const shapes[] = {{9, 8, 7}, {20, 1, 6}, {1, 30, 4}, {3, 3, 40}};
    int turn = 0;
    for (auto const& points : shapes)
        for (unsigned const percent : {0U, 20U, 45U, 70U, 100U})
            for (std::int64_t const count : {1, 2, 5, 12}) {
                volume const made = weft_test::random_volume(points, percent, random);
                weft::regular_grid<std::int64_t> const grid(made.all(), count);
                for (int const half : {0, 1}) {
                    auto const neighbors = weft_test::all_connectivities[(turn + 2 * half) % 5];
                    expect_labels(made, grid, turn % 3 == 0, neighbors, (turn + half) % 2 == 0);
                }
                ++turn;
            }
}

TEST(block_labels, corners_alone_join_blocks) {
    // Blocks of one voxel; the foreground touches at corners and edges only.
    volume checkers{{4, 4, 4}, {}};
    for (std::int64_t z = 0; z < 4; ++z)
        for (std::int64_t y = 0; y < 4; ++y)
            for (std::int64_t x = 0; x < 4; ++x) checkers.values.push_back((x + y + z) % 2 == 0 ? 1 : 0);
    weft::regular_grid<std::int64_t> const grid(checkers.all(), 64);
    for (weft::connectivity const neighbors : weft_test::all_connectivities)
        expect_labels(checkers, grid, true, neighbors, true);

    volume diagonal{{3, 3, 3}, std::vector<std::uint8_t>(27, 0)};
    for (std::int64_t i = 0; i < 3; ++i) diagonal.values[diagonal.place(2 - i, i, i)] = 1;
    for (weft::connectivity const neighbors : weft_test::all_connectivities)
        expect_labels(
            diagonal, weft::regular_grid<std::int64_t>(diagonal.all(), 27), false, neighbors, false);
}

TEST(block_labels, a_spiral_through_all_blocks_is_one) {
    volume spiral{{33, 33, 1}, std::vector<std::uint8_t>(static_cast<std::size_t>(33 * 33), 0)};
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t length = 32;
    spiral.values[0] = 1;
    for (int side = 0; length > 0; ++side) {
        constexpr std::int64_t dx[] = {1, 0, -1, 0};
        constexpr std::int64_t dy[] = {0, 1, 0, -1};
        for (std::int64_t i = 0; i < length; ++i) {
            x += dx[side % 4];
            y += dy[side % 4];
            spiral.values[spiral.place(x, y, 0)] = 1;
        }
        if (side > 0 && side % 2 == 0) length -= 2;
    }
    for (bool const asynchronous : {false, true})
        expect_labels(
            spiral, weft::regular_grid<std::int64_t>(spiral.all(), {6, 6, 1}), true, {}, asynchronous);
}

TEST(block_labels, as_many_blocks_as_fit_and_slabs_where_they_are_thick) {
    EXPECT_EQ(
        weft::blocks_of_voxels({10, 10, 8}, 2).divisions(), (weft::coordinates<std::int64_t>{1, 1, 2, 1}));
    EXPECT_EQ(
        weft::blocks_of_voxels({10, 10, 1}, 4).divisions(), (weft::coordinates<std::int64_t>{2, 2, 1, 1}));
    // 7 blocks along no axis have room, nor have 9 anywhere.
    EXPECT_EQ(weft::blocks_of_voxels({5, 5, 5}, 7).blocks(), 6);
    EXPECT_EQ(weft::blocks_of_voxels({2, 2, 2}, 9).blocks(), 8);
    EXPECT_EQ(weft::blocks_of_voxels({1, 1, 1}, 1000000).blocks(), 1);
}
