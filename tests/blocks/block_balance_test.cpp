/// Blocks move from ranks with much to do to those with little.
#include <weft/blocks/block_balance.hpp>

#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"
#include "stored_block.hpp"

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <thread>
#include <vector>

using weft::assignment;
using weft::balance_report;
using weft::block_id;
using weft::block_move;
using weft::block_options;
using weft::block_port;
using weft::block_set;
using weft::index_of;
using weft_test::cut_into;
using weft_test::for_memories;
using weft_test::setting;
using weft_test::stored_block;

namespace {

std::vector<double> loads_after(
    assignment const& where, std::vector<double> const& costs, std::vector<block_move> const& moves) {
    assignment const next = weft::after_moves(where, moves);
    std::vector<double> loads(static_cast<std::size_t>(where.ranks()));
    for (std::size_t b = 0; b < costs.size(); ++b)
        loads[static_cast<std::size_t>(next.rank_of(block_id{static_cast<std::int64_t>(b)}))] += costs[b];
    return loads;
}

} // namespace

TEST(block_balance, nothing_moves_where_all_is_well) {
    balance_report report;
    EXPECT_TRUE(
        weft::balancing_moves(assignment::contiguous(8, 4), std::vector<double>(8, 3.0), 0, report).empty());
    EXPECT_EQ(report.before, 1);
    EXPECT_EQ(report.after, 1);
    EXPECT_TRUE(
        weft::balancing_moves(assignment::contiguous(8, 4), std::vector<double>(8, 0.0), 0, report).empty());
    EXPECT_EQ(report.after, 1);
    EXPECT_TRUE(weft::balancing_moves(assignment::contiguous(0, 4), {}, 0, report).empty());
    EXPECT_TRUE(
        weft::balancing_moves(assignment::contiguous(3, 1), std::vector<double>{.1, .2, .3}, 0, report)
            .empty());
}

TEST(block_balance, the_largest_that_fits_goes_to_the_least_loaded) {
    balance_report report;
    // 10 + 3 + 2 + 1 on rank 0, nothing on the others; on average 16 / 3.
    auto const moves = weft::balancing_moves(
        assignment::by_table({0, 0, 0, 0}, 3), std::vector<double>{1, 10, 3, 2}, 0.1, report);
    ASSERT_EQ(moves.size(), 3U); // 3 to rank 1, 2 to rank 2, 1 to rank 2
    EXPECT_EQ(moves[0].block, block_id{2});
    EXPECT_EQ(moves[0].to_rank, 1);
    EXPECT_EQ(moves[1].block, block_id{3});
    EXPECT_EQ(moves[1].to_rank, 2);
    EXPECT_EQ(moves[2].block, block_id{0});
    EXPECT_EQ(moves[2].to_rank, 2);
    EXPECT_DOUBLE_EQ(report.before, 3);
    EXPECT_DOUBLE_EQ(report.after, 10 / (16.0 / 3));
    EXPECT_EQ(report.moved, 3);
}

TEST(block_balance, random_costs_get_as_even_as_the_largest_block_allows) {
    std::mt19937_64 random(7);
    for (int run = 0; run < 300; ++run) {
        int const ranks = 1 + static_cast<int>(random() % 9);
        std::size_t const blocks = random() % 60;
        std::vector<int> table(blocks);
        for (int& each : table) each = static_cast<int>(random() % static_cast<std::uint64_t>(ranks) / 2);
        std::vector<double> costs(blocks);
        for (double& each : costs) each = static_cast<double>(random() % 100);
        assignment const where = assignment::by_table(table, ranks);
        balance_report report;
        auto const moves = weft::balancing_moves(where, costs, 0.05, report);
        std::vector<double> const before = loads_after(where, costs, {});
        std::vector<double> const after = loads_after(where, costs, moves);
        double total = 0;
        for (double const each : costs) total += each;
        double const average = total / ranks;
        double const most = *std::max_element(after.begin(), after.end());
        EXPECT_LE(most, *std::max_element(before.begin(), before.end()));
        EXPECT_NEAR(report.after, total > 0 ? most / average : 1, 1e-9);
        // Greedy: what has most would not fit elsewhere but for the size of one block.
        double const largest = blocks == 0 ? 0 : *std::max_element(costs.begin(), costs.end());
        EXPECT_LE(most, average * 1.05 + largest + 1e-9);
        // Replayed: each block leaves once, the rank that has most, and then that has less.
        std::vector<bool> named(blocks);
        std::vector<double> loads = before;
        for (block_move const& each : moves) {
            auto const b = static_cast<std::size_t>(index_of(each.block));
            EXPECT_FALSE(named[b]);
            named[b] = true;
            double& from = loads[static_cast<std::size_t>(where.rank_of(each.block))];
            double& to = loads[static_cast<std::size_t>(each.to_rank)];
            EXPECT_GT(from, average * 1.05);
            EXPECT_EQ(from, *std::max_element(loads.begin(), loads.end()));
            EXPECT_EQ(to, *std::min_element(loads.begin(), loads.end()));
            EXPECT_LT(to + costs[b], from);
            from -= costs[b];
            to += costs[b];
        }
    }
}

TEST(block_balance, costs_that_are_none_are_refused) {
    balance_report report;
    for (double const wrong : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
        EXPECT_THROW((void)weft::balancing_moves(
                         assignment::contiguous(2, 2), std::vector<double>{1, wrong}, 0.1, report),
            weft::usage_error);
        block_set<stored_block> blocks(weft_test::world(), cut_into::ring(5), weft_test::make_stored);
        EXPECT_THROW((void)blocks.balance(
                         [&](stored_block const&, block_id id) { return id == block_id{3} ? wrong : 1.0; }),
            weft::usage_error);
        EXPECT_THROW(
            (void)blocks.balance([](stored_block const&, block_id) { return 1.0; }, -1), weft::usage_error);
        EXPECT_THROW((void)blocks.balance(), weft::usage_error); // not measured
    }
}

TEST(block_balance, blocks_go_where_it_says_with_what_is_theirs) {
    for_memories([](setting const& with, block_options const& options) {
        block_set<stored_block> blocks(
            weft_test::world(), cut_into::ring(with.blocks), with.where(), weft_test::make_stored, options);
        auto const cost = [](stored_block const& self, block_id) {
            return static_cast<double>(1 + self.id % 5);
        };
        std::vector<double> costs;
        for (std::int64_t b = 0; b < with.blocks; ++b) costs.push_back(static_cast<double>(1 + b % 5));
        balance_report expected;
        auto const moves = weft::balancing_moves(blocks.where(), costs, 0.05, expected);
        weft::assignment const next = weft::after_moves(blocks.where(), moves);
        balance_report const report = blocks.balance(cost);
        EXPECT_EQ(report.before, expected.before);
        EXPECT_EQ(report.after, expected.after);
        EXPECT_EQ(report.moved, expected.moved);
        for (std::int64_t b = 0; b < with.blocks; ++b)
            EXPECT_EQ(blocks.where().rank_of(block_id{b}), next.rank_of(block_id{b}));
        weft_test::walk(blocks, with.blocks, true);
        weft_test::expect_walked(blocks, with.blocks);
    });
}

TEST(block_balance, what_callbacks_take_is_measured) {
    // All on rank 0, and only those with even ids take long.
    block_set<stored_block> blocks(weft_test::world(), cut_into::ring(8),
        assignment::by_table(std::vector<int>(8, 0), weft_test::size()), weft_test::make_stored,
        {.measure_costs = true});
    auto const slow = [](stored_block const& self) {
        if (self.id % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
    blocks.iexchange<int>([&](stored_block& self, block_port<int>&) { slow(self); });
    blocks.exchange<int>([&](stored_block& self, block_port<int>&) { slow(self); });
    balance_report const report = blocks.balance(0.3);
    EXPECT_NEAR(report.before, weft_test::size(), 1e-9);
    if (weft_test::size() > 1) {
        EXPECT_LT(report.after, report.before);
        EXPECT_GT(report.moved, 0);
    }
    EXPECT_EQ(blocks.balance(0.3).moved, 0); // measured anew
    weft_test::walk(blocks, 8, false);
    weft_test::expect_walked(blocks, 8);
}
