#include <weft/blocks/assignment.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>

using weft::assignment;
using weft::block_id;
using weft::usage_error;

namespace {

/// Every query against the list of ranks by block.
void expect_deals(assignment const& dealt, std::vector<int> const& rank_of, int ranks) {
    ASSERT_EQ(dealt.blocks(), static_cast<std::int64_t>(rank_of.size()));
    ASSERT_EQ(dealt.ranks(), ranks);
    std::vector<std::int64_t> count(static_cast<std::size_t>(ranks), 0);
    for (std::size_t b = 0; b < rank_of.size(); ++b) {
        block_id const block{static_cast<std::int64_t>(b)};
        int const rank = rank_of[b];
        std::int64_t const place = count[static_cast<std::size_t>(rank)]++;
        ASSERT_TRUE(dealt.exists(block));
        ASSERT_EQ(dealt.rank_of(block), rank) << "block " << b;
        ASSERT_EQ(dealt.local_place(block), place) << "block " << b;
        ASSERT_EQ(dealt.block_at(rank, place), block) << "block " << b;
    }
    for (int r = 0; r < ranks; ++r) ASSERT_EQ(dealt.blocks_of(r), count[static_cast<std::size_t>(r)]);
    EXPECT_FALSE(dealt.exists(block_id{dealt.blocks()}));
    EXPECT_FALSE(dealt.exists(block_id{-1}));
}

} // namespace

TEST(assignment, contiguous_spreads_the_remainder_over_any_numbers_of_blocks_and_ranks) {
    for (int ranks = 1; ranks <= 17; ++ranks)
        for (int blocks = 0; blocks <= 40; ++blocks) {
            auto const dealt = assignment::contiguous(blocks, ranks);
            std::vector<int> expected;
            for (int r = 0; r < ranks; ++r) {
                ASSERT_LE(std::abs(dealt.blocks_of(r) * ranks - blocks), ranks - 1);
                expected.insert(expected.end(), static_cast<std::size_t>(dealt.blocks_of(r)), r);
            }
            expect_deals(dealt, expected, ranks);
        }
}

TEST(assignment, round_robin_gives_block_b_to_rank_b_modulo_ranks) {
    for (int ranks = 1; ranks <= 17; ++ranks)
        for (int blocks = 0; blocks <= 40; ++blocks) {
            std::vector<int> expected;
            for (int b = 0; b < blocks; ++b) expected.push_back(b % ranks);
            expect_deals(assignment::round_robin(blocks, ranks), expected, ranks);
        }
}

TEST(assignment, tables_deal_as_they_say_also_with_ranks_that_get_nothing) {
    auto generator = weft_test::random();
    for (int round = 0; round < 50; ++round) {
        int const ranks = 1 + static_cast<int>(generator() % 20);
        std::vector<int> table(generator() % 60);
        for (int& rank : table) rank = static_cast<int>(generator() % static_cast<unsigned>(ranks));
        auto const dealt = assignment::by_table(table, ranks);
        expect_deals(dealt, table, ranks);
        std::reverse(table.begin(), table.end());
        expect_deals(dealt.with_table(table), table, ranks);
        expect_deals(assignment::contiguous(dealt.blocks(), ranks).with_table(table), table, ranks);
    }
}

TEST(assignment, knows_more_blocks_than_fit_in_32_bits) {
    std::int64_t const blocks = (std::int64_t{1} << 40) + 3;
    for (auto const& dealt : {assignment::contiguous(blocks, 7), assignment::round_robin(blocks, 7)}) {
        std::int64_t all = 0;
        for (int r = 0; r < 7; ++r) all += dealt.blocks_of(r);
        EXPECT_EQ(all, blocks);
        for (std::int64_t const b : {std::int64_t{0}, blocks / 3, std::int64_t{1} << 39, blocks - 1}) {
            int const rank = dealt.rank_of(block_id{b});
            EXPECT_EQ(dealt.block_at(rank, dealt.local_place(block_id{b})), block_id{b});
        }
    }
    std::int64_t const just_fits = UINT32_MAX;
    auto const narrow = assignment::contiguous(just_fits, 2);
    EXPECT_EQ(narrow.rank_of(block_id{just_fits - 1}), 1);
    EXPECT_EQ(narrow.local_place(block_id{just_fits - 1}), just_fits / 2 - 1);
}

TEST(assignment, is_a_value) {
    EXPECT_EQ(assignment(), assignment::contiguous(0, 1));
    EXPECT_EQ(assignment::by_table({0, 1}, 2), assignment::by_table({0, 1}, 2));
    EXPECT_NE(assignment::by_table({0, 1}, 2), assignment::by_table({1, 0}, 2));
    EXPECT_NE(assignment::contiguous(4, 2), assignment::round_robin(4, 2));
}

TEST(assignment, refuses_what_cannot_be_dealt) {
    EXPECT_THROW((void)assignment::contiguous(-1, 2), usage_error);
    EXPECT_THROW((void)assignment::round_robin(3, 0), usage_error);
    EXPECT_THROW((void)assignment::by_table({}, 0), usage_error);
    EXPECT_THROW((void)assignment::contiguous(3, 2).with_table({0, 1}), usage_error);
    try {
        (void)assignment::by_table({0, 1, 2}, 2);
        ADD_FAILURE() << "a rank that does not exist was taken";
    } catch (usage_error const& caught) {
        EXPECT_STREQ(caught.what(), "assignment: block 2 is given to rank 2; ranks are 0..1");
    }
}
