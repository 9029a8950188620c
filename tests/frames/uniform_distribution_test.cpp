#include <weft/frames/uniform_distribution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

using weft::uniform_distribution;

namespace {

/// Blocks lie end to end, cover 0..total-1 and differ in size by at most one.
void expect_partition(uniform_distribution const& blocks, int parts) {
    std::int64_t const least = blocks.total() / parts;
    EXPECT_EQ(blocks.end(parts - 1), blocks.total());
    for (int part = 0; part < parts; ++part) {
        EXPECT_EQ(blocks.begin(part), part == 0 ? 0 : blocks.end(part - 1));
        EXPECT_EQ(blocks.size(part), blocks.end(part) - blocks.begin(part));
        EXPECT_GE(blocks.size(part), least);
        EXPECT_LE(blocks.size(part) - least, 1);
    }
}

/// The owner of an id is the part whose block holds it.
void expect_owned(uniform_distribution const& blocks, std::int64_t id) {
    int const owner = blocks.owner(id);
    EXPECT_LE(blocks.begin(owner), id) << "id " << id;
    EXPECT_LT(id, blocks.end(owner)) << "id " << id;
}

} // namespace

TEST(uniform_distribution, follows_the_formula_of_its_documentation) {
    uniform_distribution const blocks(10, 4);
    EXPECT_EQ(blocks.total(), 10);
    EXPECT_EQ(blocks.parts(), 4);
    std::vector<std::int64_t> begins;
    std::vector<int> owners;
    for (int part = 0; part < 4; ++part) begins.push_back(blocks.begin(part));
    for (std::int64_t id = 0; id < 10; ++id) owners.push_back(blocks.owner(id));
    EXPECT_EQ(begins, (std::vector<std::int64_t>{0, 2, 5, 7}));
    EXPECT_EQ(owners, (std::vector<int>{0, 0, 1, 1, 1, 2, 2, 3, 3, 3}));
}

TEST(uniform_distribution, without_ids_all_blocks_are_empty) {
    for (uniform_distribution const& blocks : {uniform_distribution(), uniform_distribution(0, 5)})
        for (int part = 0; part < blocks.parts(); ++part) {
            EXPECT_EQ(blocks.begin(part), 0);
            EXPECT_EQ(blocks.size(part), 0);
        }
}

TEST(uniform_distribution, every_small_one_is_a_partition_with_consistent_owners) {
    for (int parts = 1; parts <= 40; ++parts)
        for (std::int64_t total = 0; total <= 100; ++total) {
            uniform_distribution const blocks(total, parts);
            expect_partition(blocks, parts);
            for (std::int64_t id = 0; id < total; ++id) expect_owned(blocks, id);
        }
}

TEST(uniform_distribution, more_parts_than_ids_leaves_parts_empty) {
    uniform_distribution const blocks(3, 1000);
    expect_partition(blocks, 1000);
    for (std::int64_t id = 0; id < 3; ++id) {
        expect_owned(blocks, id);
        EXPECT_EQ(blocks.size(blocks.owner(id)), 1);
    }
}

TEST(uniform_distribution, is_exact_where_products_exceed_64_bits) {
    std::mt19937_64 random(3);
    constexpr std::int64_t huge = std::int64_t{1} << 62;
    for (std::int64_t const total :
        {huge, huge - 1, huge + 1, INT64_MAX, INT64_MAX - 1, huge / 3, huge / 1000})
        for (int const parts : {1, 2, 3, 7, 64, 1000}) {
            uniform_distribution const blocks(total, parts);
            expect_partition(blocks, parts);
            for (int part = 0; part < parts; ++part) {
                EXPECT_EQ(blocks.owner(blocks.begin(part)), part);
                EXPECT_EQ(blocks.owner(blocks.end(part) - 1), part);
            }
            for (int i = 0; i < 50; ++i)
                expect_owned(blocks, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(total)));
        }
}

TEST(uniform_distribution, the_short_way_agrees_with_the_long_one_at_the_border) {
    for (int const parts : {2, 3, 1000, 1 << 20}) {
        std::int64_t const border = INT64_MAX / parts;
        for (std::int64_t total = border - 3; total <= border + 3; ++total) {
            uniform_distribution const blocks(total, parts);
            for (int const part : {0, 1, parts / 2, parts - 1}) {
                EXPECT_EQ(blocks.owner(blocks.begin(part)), part);
                EXPECT_EQ(blocks.owner(blocks.end(part) - 1), part);
            }
        }
    }
}

TEST(uniform_distribution, a_hundred_thousand_parts_of_a_large_total) {
    constexpr int parts = 100'000;
    uniform_distribution const blocks(123'456'789'012'345, parts);
    expect_partition(blocks, parts);
    std::mt19937_64 random(4);
    for (int i = 0; i < 1000; ++i)
        expect_owned(
            blocks, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(blocks.total())));
}

TEST(uniform_distribution, the_most_parts_there_can_be) {
    uniform_distribution const blocks(1000, INT32_MAX);
    for (std::int64_t id = 0; id < 1000; ++id) expect_owned(blocks, id);
    EXPECT_EQ(blocks.end(INT32_MAX - 1), 1000);
}
