#include <weft/frames/block_to_block.hpp>

#include <weft/core/error.hpp>

#include "frame_rig.hpp"

#include <algorithm>
#include <random>
#include <vector>

using weft::block_distribution;
using weft::block_to_block;
using weft::global_id;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

block_distribution random_blocks(std::mt19937_64& random, global_id total) {
    std::vector<global_id> bounds{0, total};
    while (static_cast<int>(bounds.size()) < size() + 1)
        bounds.push_back(static_cast<global_id>(random() % static_cast<std::uint64_t>(total + 1)));
    std::ranges::sort(bounds);
    return block_distribution(bounds);
}

} // namespace

TEST(block_to_block, the_example) {
    std::vector<global_id> from{0, 2, 7};
    std::vector<global_id> to{0, 4, 7};
    if (size() == 1) return;
    from.resize(static_cast<std::size_t>(size()) + 1, 7);
    to.resize(static_cast<std::size_t>(size()) + 1, 7);
    std::vector<std::vector<int>> const before{{5, 8}, {11, 0, 3, 1, 9}};
    std::vector<std::vector<int>> const after{{5, 8, 11, 0}, {3, 1, 9}};
    block_to_block const plan(world(), block_distribution(from), block_distribution(to));
    auto const mine = static_cast<std::size_t>(rank());
    EXPECT_EQ(plan.exchange(mine < 2 ? before[mine] : std::vector<int>{}),
        mine < 2 ? after[mine] : std::vector<int>{});
}

TEST(block_to_block, random_blocks_hold_the_same_values) {
    auto random = weft_test::random();
    for (int round = 0; round < 20; ++round) {
        auto const total = static_cast<global_id>(random() % 50);
        block_distribution const from = random_blocks(random, total);
        block_distribution const to = random_blocks(random, total);
        block_to_block const plan(world(), from, to);
        auto const values_of = [](block_distribution const& blocks) {
            std::vector<std::int64_t> values;
            for (global_id id = blocks.begin(rank()); id < blocks.end(rank()); ++id)
                values.insert(values.end(), {id, -id});
            return values;
        };
        auto const lists_of = [](block_distribution const& blocks) {
            weft::ragged<int> lists;
            for (global_id id = blocks.begin(rank()); id < blocks.end(rank()); ++id) {
                lists.values.insert(
                    lists.values.end(), static_cast<std::size_t>(id * 7 % 4), static_cast<int>(id));
                lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
            }
            return lists;
        };
        EXPECT_EQ(plan.exchange(values_of(from), 2), values_of(to));
        EXPECT_EQ(plan.exchange(lists_of(from)), lists_of(to));
    }
}

TEST(block_to_block, what_is_wrong_on_one_rank_is_an_error_on_all) {
    bool const last = rank() == size() - 1;
    block_distribution const blocks = block_distribution::uniform(world(), 10);
    EXPECT_THROW(
        (void)block_to_block(world(), blocks, block_distribution::uniform(world(), 11)), weft::usage_error);
    if (size() > 1) {
        EXPECT_THROW(
            (void)block_to_block(world(), blocks, block_distribution::uniform(world(), last ? 11 : 10)),
            weft::usage_error);
    }
    block_to_block const plan(world(), blocks, blocks);
    auto const mine = static_cast<std::size_t>(blocks.size(rank()));
    EXPECT_THROW((void)plan.exchange(std::vector<int>(mine + (last ? 1 : 0))), weft::usage_error);
    weft::ragged<int> lists{std::vector<std::int64_t>(mine + 1), {}};
    if (last) lists.offsets.front() = -1;
    EXPECT_THROW((void)plan.exchange(lists), weft::usage_error);
    if (size() > 1) {
        std::vector<std::int64_t> const empty(mine + 1);
        EXPECT_THROW(last ? (void)plan.exchange(weft::ragged<float>{empty, {}})
                          : (void)plan.exchange(weft::ragged<double>{empty, {}}),
            weft::usage_error);
    }
    EXPECT_THROW((void)plan.exchange(std::vector<int>(mine, 3), last ? 0 : 1), weft::usage_error);
    EXPECT_EQ(plan.exchange(std::vector<int>(mine, 3)), std::vector<int>(mine, 3));
}
