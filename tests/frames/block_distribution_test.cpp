#include <weft/frames/block_distribution.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <random>
#include <vector>

using weft::block_distribution;
using weft::global_id;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// The owner of every id, one at a time and all at once, is the block that has it.
void expect_owners(block_distribution const& blocks, std::vector<global_id> const& ids) {
    std::vector<int> owners(ids.size());
    ASSERT_EQ(blocks.find_owners(ids, owners), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        int const owner = blocks.owner(ids[i]);
        EXPECT_LE(blocks.begin(owner), ids[i]);
        EXPECT_LT(ids[i], blocks.end(owner));
        EXPECT_EQ(owners[i], owner) << "id " << ids[i];
    }
}

std::vector<global_id> all_ids(block_distribution const& blocks) {
    std::vector<global_id> ids;
    for (global_id id = blocks.begin(); id < blocks.end(); ++id) ids.push_back(id);
    return ids;
}

} // namespace

TEST(block_distribution, of_bounds_tells_owners_and_sizes) {
    block_distribution const blocks(std::vector<global_id>{0, 3, 3, 7});
    EXPECT_EQ(blocks.parts(), 3);
    EXPECT_EQ(blocks.total(), 7);
    EXPECT_EQ(blocks.largest(), 4);
    EXPECT_EQ(blocks.size(1), 0);
    std::vector<int> owners(7);
    EXPECT_EQ(blocks.find_owners(all_ids(blocks), owners), 7U);
    EXPECT_EQ(owners, (std::vector<int>{0, 0, 0, 2, 2, 2, 2}));
}

TEST(block_distribution, names_the_first_id_that_no_block_has) {
    std::vector<int> owners(4);
    for (block_distribution const& blocks : {block_distribution(std::vector<global_id>{2, 3, 9}),
             block_distribution(std::vector<global_id>{2, 9})}) {
        EXPECT_EQ(blocks.find_owners(std::vector<global_id>{2, 8, 9, 3}, owners), 2U);
        EXPECT_EQ(blocks.find_owners(std::vector<global_id>{1, 8, 8, 3}, owners), 0U);
        EXPECT_EQ(blocks.find_owners(std::vector<global_id>{2, 3, INT64_MIN}, owners), 2U);
        EXPECT_FALSE(blocks.contains(9));
        EXPECT_TRUE(blocks.contains(8));
    }
    block_distribution const uniform(weft::uniform_distribution(5, 2));
    EXPECT_EQ(uniform.find_owners(std::vector<global_id>{0, 4, 5}, owners), 2U);
    EXPECT_EQ(uniform.find_owners(std::vector<global_id>{0, -1, 5}, owners), 1U);
    EXPECT_EQ(block_distribution().find_owners(std::vector<global_id>{0}, owners), 0U);
}

TEST(block_distribution, every_uniform_one_agrees_with_its_formula) {
    for (int parts = 1; parts <= 30; ++parts)
        for (std::int64_t total = 0; total <= 60; ++total) {
            block_distribution const blocks(weft::uniform_distribution(total, parts));
            expect_owners(blocks, all_ids(blocks));
            EXPECT_EQ(blocks, block_distribution(blocks.bounds()));
        }
}

TEST(block_distribution, huge_uniform_ones_have_exact_owners) {
    std::mt19937_64 random(5);
    for (std::int64_t const total :
        {INT64_MAX, INT64_MAX / 3, std::int64_t{1} << 53, std::int64_t{4'000'000'007}})
        for (int const parts : {1, 2, 3, 7, 4800}) {
            block_distribution const blocks(weft::uniform_distribution(total, parts));
            std::vector<global_id> ids;
            for (int i = 0; i < 3000; ++i)
                ids.push_back(static_cast<global_id>(random() % static_cast<std::uint64_t>(total)));
            for (int part = 0; part < parts; ++part) {
                ids.push_back(blocks.begin(part));
                ids.push_back(blocks.end(part) - 1);
            }
            expect_owners(blocks, ids);
        }
}

TEST(block_distribution, guides_to_blocks_of_any_sizes) {
    std::mt19937_64 random(6);
    for (int round = 0; round < 200; ++round) {
        int const parts = 1 + static_cast<int>(random() % 60);
        auto const spread = random() % 40; // from all alike to sizes of 2^39
        std::vector<global_id> bounds{static_cast<global_id>(random() % 3 * 1000)};
        for (int part = 0; part < parts; ++part) {
            auto const width = std::uint64_t{1} << (random() % (spread + 1));
            bounds.push_back(
                bounds.back() + (random() % 4 == 0 ? 0 : static_cast<global_id>(random() % width + 1)));
        }
        block_distribution const blocks(bounds);
        std::vector<global_id> ids;
        for (int part = 0; part < parts; ++part)
            if (blocks.size(part) > 0)
                ids.insert(ids.end(),
                    {blocks.begin(part), blocks.end(part) - 1,
                        blocks.begin(part) + static_cast<global_id>(
                                                 random() % static_cast<std::uint64_t>(blocks.size(part)))});
        expect_owners(blocks, ids);
    }
    // All bounds but one in a single slot of the guide, and the whole range of ids.
    std::vector<global_id> crowded;
    for (global_id i = 0; i < 1000; ++i) crowded.push_back(i);
    crowded.push_back(INT64_MAX);
    block_distribution const blocks(crowded);
    expect_owners(blocks, {0, 1, 500, 998, 999, 1000, INT64_MAX / 2, INT64_MAX - 1});
}

TEST(block_distribution, sizes_are_laid_end_to_end) {
    block_distribution const blocks = block_distribution::from_sizes(world(), rank() * rank());
    EXPECT_EQ(blocks.parts(), size());
    EXPECT_EQ(blocks.size(rank()), rank() * rank());
    EXPECT_EQ(blocks.begin(), 0);
    expect_owners(blocks, all_ids(blocks));
}

TEST(block_distribution, shares_may_be_zero) {
    bool const last = rank() == size() - 1;
    block_distribution const one = block_distribution::by_shares(world(), 1000, last ? 2.5 : 0);
    EXPECT_EQ(one.size(rank()), last ? 1000 : 0);
    block_distribution const even = block_distribution::by_shares(world(), 1'000'003, 1);
    EXPECT_EQ(even.total(), 1'000'003);
    EXPECT_LE(even.largest() - 1'000'003 / size(), 1);
}

TEST(block_distribution, refuses_what_is_no_distribution) {
    EXPECT_THROW(block_distribution(std::vector<global_id>{3}), weft::usage_error);
    EXPECT_THROW(block_distribution(std::vector<global_id>{0, 4, 3}), weft::usage_error);
    EXPECT_THROW(block_distribution(std::vector<global_id>{-1, 4}), weft::usage_error);
    EXPECT_THROW((void)block_distribution::uniform(world(), -1), weft::usage_error);
    bool const last = rank() == size() - 1;
    EXPECT_THROW((void)block_distribution::from_sizes(world(), last ? -1 : 5), weft::usage_error);
    EXPECT_THROW((void)block_distribution::by_shares(world(), 10, last ? -0.5 : 1), weft::usage_error);
    EXPECT_THROW((void)block_distribution::by_shares(world(), 10, 0), weft::usage_error);
    if (size() > 1) {
        EXPECT_THROW((void)block_distribution::from_sizes(world(), INT64_MAX), weft::usage_error);
    }
    EXPECT_EQ(block_distribution::uniform(world(), 10).total(), 10); // and the next call works
}
