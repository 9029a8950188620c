#include <weft/labelling/label_volume.hpp>

#include "volume_rig.hpp"

#include <weft/core/error.hpp>

#include <limits>

namespace {

/// The values of the blocks of this rank, one behind the other, as `T`.
template <class T>
std::vector<T> mine_of(weft_test::volume const& of, weft::regular_grid<std::int64_t> const& grid) {
    auto const where = weft::assignment::contiguous(grid.blocks(), weft_test::size());
    std::vector<T> values;
    for (std::int64_t block = 0; block < grid.blocks(); ++block)
        if (where.rank_of(weft::block_id{block}) == weft_test::rank())
            for (std::uint8_t const each : of.part(grid.bounds(weft::block_id{block})))
                values.push_back(static_cast<T>(each));
    return values;
}

template <class T>
void expect_flooding(weft_test::volume const& of, std::int64_t count, weft::connectivity neighbors) {
    weft::regular_grid<std::int64_t> const grid(of.all(), count);
    std::vector<T> const mine = mine_of<T>(of, grid);
    weft::volume_labels const found = weft::label_volume(weft_test::world(), grid, mine,
        {.threshold = 1, .corners = neighbors.corners, .edges = neighbors.edges});
    std::vector<std::int64_t> const expected = flooded(of, neighbors);
    EXPECT_EQ(found.components, *std::ranges::max_element(expected));
    EXPECT_EQ(found.foreground, std::ranges::count(of.values, 1));
    EXPECT_EQ(found.largest.size(), std::min<std::size_t>(10, static_cast<std::size_t>(found.components)));
    auto const where = weft::assignment::contiguous(grid.blocks(), weft_test::size());
    std::size_t next = 0;
    for (std::int64_t block = 0; block < grid.blocks(); ++block) {
        if (where.rank_of(weft::block_id{block}) != weft_test::rank()) continue;
        auto const box = grid.bounds(weft::block_id{block});
        for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z)
            for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y)
                for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x)
                    ASSERT_EQ(found.labels.at(next++), expected[of.place(x, y, z)])
                        << x << ' ' << y << ' ' << z;
    }
    EXPECT_EQ(found.labels.size(), next);
}

} // namespace

TEST(label_volume, is_flooding_of_any_type_in_any_number_of_blocks) {
    std::mt19937_64 random = weft_test::random();
    for (unsigned const percent : {0U, 40U, 100U})
        for (std::int64_t const count : {1, 3, 8})
            for (weft::connectivity const neighbors : {weft::connectivity{},
                     weft::connectivity{.corners = true}, weft::connectivity{.edges = true}}) {
                weft_test::volume const made = weft_test::random_volume({9, 8, 7}, percent, random);
                expect_flooding<std::uint8_t>(made, count, neighbors);
                expect_flooding<std::int16_t>(made, count, neighbors);
                expect_flooding<std::int64_t>(made, count, neighbors);
                expect_flooding<float>(made, count, neighbors);
                expect_flooding<double>(made, count, neighbors);
            }
}

TEST(label_volume, ranges_and_missing_values_are_heeded) {
    weft::regular_grid const grid(weft::cell_box(7, 1, 1), 1);
    std::vector<float> mine;
    if (weft_test::rank() == 0) mine = {1, 2, 3, std::numeric_limits<float>::quiet_NaN(), 2, 9, 2};
    auto const found =
        weft::label_volume(weft_test::world(), grid, mine, {.threshold = 2, .below = 9, .missing = 3});
    EXPECT_EQ(found.components, 3);
    if (weft_test::rank() == 0) { EXPECT_EQ(found.labels, (std::vector<std::int64_t>{0, 1, 0, 0, 2, 0, 3})); }
}

TEST(label_volume, values_that_are_not_those_of_the_blocks_are_an_error_everywhere) {
    weft::regular_grid const grid(weft::cell_box(8, 4, 4), weft_test::size());
    std::vector<int> mine = mine_of<int>(weft_test::volume{{8, 4, 4}, std::vector<std::uint8_t>(128)}, grid);
    if (weft_test::rank() == weft_test::size() - 1) mine.push_back(1);
    EXPECT_THROW((void)weft::label_volume(weft_test::world(), grid, mine), weft::usage_error);
    weft::regular_grid const flat(weft::cell_box(4, 4), 1);
    EXPECT_THROW((void)weft::label_volume(weft_test::world(), flat, mine), weft::usage_error);
}

TEST(label_volume, a_domain_may_begin_anywhere) {
    auto random = weft_test::random();
    std::array<std::int64_t, 3> const points{9, 8, 7};
    weft_test::volume const made = weft_test::random_volume(points, 40, random);
    std::vector<std::int64_t> const expected = flooded(made, {});
    for (std::array<std::int64_t, 3> const& at :
        {std::array<std::int64_t, 3>{-3, -3, -3}, {-20, 5, 100}, {7, -1, -7}, {1LL << 40, -(1LL << 40), 0}}) {
        weft::box<std::int64_t> domain{3, {}, {}};
        for (std::size_t d = 0; d < 3; ++d) {
            domain.lo[d] = at[d];
            domain.hi[d] = at[d] + points[d];
        }
        for (std::int64_t const count : {1, 2, 5, 12}) {
            weft::regular_grid<std::int64_t> const grid(domain, count);
            auto const where = weft::assignment::contiguous(grid.blocks(), weft_test::size());
            std::vector<int> mine;
            std::vector<std::int64_t> labels;
            for (std::int64_t place = 0; place < where.blocks_of(weft_test::rank()); ++place) {
                auto const box = grid.bounds(where.block_at(weft_test::rank(), place));
                for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z)
                    for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y)
                        for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x) {
                            std::size_t const voxel = made.place(x - at[0], y - at[1], z - at[2]);
                            mine.push_back(made.values[voxel]);
                            labels.push_back(expected[voxel]);
                        }
            }
            EXPECT_EQ(weft::label_volume(weft_test::world(), grid, mine, {.threshold = 1}).labels, labels);
        }
    }
}

TEST(label_volume, grids_that_it_cannot_label_are_refused) {
    weft::box<std::int64_t> const all{3, {}, {9, 5, 5}};
    std::string text;
    auto const label = [&](weft::regular_grid<std::int64_t> const& grid) {
        auto const where = weft::assignment::contiguous(grid.blocks(), weft_test::size());
        std::size_t cells = 0;
        for (std::int64_t place = 0; place < where.blocks_of(weft_test::rank()); ++place) {
            auto const box = grid.bounds(where.block_at(weft_test::rank(), place));
            cells += static_cast<std::size_t>(
                (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]) * (box.hi[2] - box.lo[2]));
        }
        try {
            return weft::label_volume(weft_test::world(), grid, std::vector<float>(cells, 1)).foreground;
        } catch (weft::usage_error const& error) { text = error.what(); }
        return std::int64_t{-1};
    };
    EXPECT_EQ(label({all, 1, {.share_face = true}}), 225); // a block shares no face with itself
    for (std::int64_t const n : {2, 4}) {
        EXPECT_EQ(label({all, n, {.divisions = {n, 1, 1}, .share_face = true}}), -1);
        EXPECT_NE(text.find("share, whose voxels would count twice, along dimension 0"), std::string::npos)
            << text;
    }
    for (std::int64_t const n : {1, 4}) {
        EXPECT_EQ(label({all, n, {.wrap = {false, true, false}}}), -1);
        EXPECT_NE(text.find("wraps, where labels do not go on, along dimension 1"), std::string::npos)
            << text;
    }
    std::int64_t const far = std::int64_t{1} << 32;
    weft::regular_grid<std::int64_t> const huge({3, {}, {far, far, far}}, 1);
    EXPECT_THROW((void)weft::label_volume(weft_test::world(), huge, std::vector<float>()), weft::usage_error);
}
