/// Blocks that go to other ranks with all that is theirs.
#include <weft/blocks/block_moves.hpp>

#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"
#include "stored_block.hpp"

#include <harness/mpi_test.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using weft::assignment;
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

/// Random, the same on all ranks.
assignment random_assignment(std::int64_t blocks, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<int> table(static_cast<std::size_t>(blocks));
    for (int& rank : table) rank = static_cast<int>(random() % static_cast<std::uint64_t>(weft_test::size()));
    return assignment::by_table(table, weft_test::size());
}

void expect_all_in_place(block_set<stored_block>& blocks) {
    std::int64_t found = 0;
    blocks.for_each([&](stored_block const& self, block_id id) {
        EXPECT_EQ(self.id, index_of(id));
        EXPECT_EQ(self.data, weft_test::make_stored(id).data);
        EXPECT_EQ(blocks.where().rank_of(id), weft_test::rank());
    });
    found = blocks.all_reduce<std::int64_t>([](stored_block const&, block_id) { return std::int64_t{1}; },
        [](std::int64_t a, std::int64_t b) { return a + b; });
    EXPECT_EQ(found, blocks.where().blocks());
}

/// A block whose image cannot be read where `fails` says so.
struct fragile_block {
    std::int64_t id = 0;
    bool fails = false;

    static void wire(auto& archive, auto& self) {
        archive(self.id, self.fails);
        if (self.fails) throw weft::usage_error("a fragile block does not travel");
    }
};

} // namespace

TEST(block_moves, blocks_arrive_whole_wherever_they_go) {
    for_memories([](setting const& with, block_options const& options) {
        block_set<stored_block> blocks(
            weft_test::world(), cut_into::ring(with.blocks), with.where(), weft_test::make_stored, options);
        for (std::uint64_t round = 0; round < 3; ++round) {
            assignment const next = random_assignment(with.blocks, round);
            std::vector<block_move> mine;
            for (std::size_t place = 0; place < blocks.size(); ++place) {
                block_id const id =
                    blocks.where().block_at(weft_test::rank(), static_cast<std::int64_t>(place));
                if (next.rank_of(id) != weft_test::rank()) mine.push_back({id, next.rank_of(id)});
            }
            blocks.move(mine);
            for (std::int64_t b = 0; b < with.blocks; ++b)
                EXPECT_EQ(blocks.where().rank_of(block_id{b}), next.rank_of(block_id{b}));
            expect_all_in_place(blocks);
        }
        blocks.assign(assignment::round_robin(with.blocks, weft_test::size()));
        EXPECT_EQ(blocks.where(), assignment::round_robin(with.blocks, weft_test::size()));
        expect_all_in_place(blocks);
        weft_test::walk(blocks, with.blocks, true);
        blocks.assign(assignment::contiguous(with.blocks, weft_test::size()));
        weft_test::expect_walked(blocks, with.blocks);
        weft_test::walk(blocks, with.blocks, false);
        weft_test::expect_walked(blocks, with.blocks);
    });
}

// Field-notes section 3, case 12.
TEST(block_moves, messages_go_with_their_blocks_in_order) {
    for_memories([](setting const& with, block_options const& options) {
        block_set<stored_block> blocks(
            weft_test::world(), cut_into::ring(with.blocks), with.where(), weft_test::make_stored, options);
        std::int64_t said = 0;
        auto const say = [&](stored_block& self, block_port<std::int64_t>& port) {
            port.send(block_id{(self.id + 1) % with.blocks}, 10 * self.id + said);
            port.give(block_id{(self.id + 1) % with.blocks}, std::vector<std::int64_t>(1000, said));
        };
        blocks.for_each_port<std::int64_t>(say);
        blocks.assign(random_assignment(with.blocks, 1)); // not sent yet
        said = 1;
        blocks.exchange<std::int64_t>(say);
        blocks.assign(random_assignment(with.blocks, 2)); // not taken yet
        said = 2;
        blocks.for_each_port<std::int64_t>(say);
        blocks.iexchange<std::int64_t>([](stored_block&, block_port<std::int64_t>&) {});
        blocks.assign(random_assignment(with.blocks, 3));
        blocks.for_each_port<std::int64_t>([&](stored_block& self, block_port<std::int64_t>& port) {
            std::int64_t const from = (self.id + with.blocks - 1) % with.blocks;
            std::vector<std::int64_t> got;
            for (std::int64_t const each : port.received()) got.push_back(each);
            std::vector<std::int64_t> expected;
            for (std::int64_t each = 0; each < 3; ++each) {
                expected.push_back(10 * from + each);
                expected.insert(expected.end(), 1000, each);
            }
            EXPECT_EQ(got, expected);
        });
        blocks.exchange();
    });
}

TEST(block_moves, late_messages_of_rounds_with_neighbours_find_blocks_that_moved) {
    block_set<stored_block> blocks(weft_test::world(), cut_into::ring(9), weft_test::make_stored);
    for (std::int64_t round = 0; round < 6; ++round) {
        blocks.exchange_neighbors<std::int64_t>(
            [&](stored_block& self, block_port<std::int64_t>& port) {
                port.send(block_id{(self.id + 1) % 9}, 10 * self.id + round);
            },
            {.fraction = 0});
        if (round % 2 == 1) blocks.assign(random_assignment(9, static_cast<std::uint64_t>(round)));
    }
    blocks.exchange();
    blocks.for_each_port<std::int64_t>([](stored_block& self, block_port<std::int64_t>& port) {
        std::int64_t next = 0;
        for (std::int64_t const each : port.received()) EXPECT_EQ(each, 10 * ((self.id + 8) % 9) + next++);
        EXPECT_EQ(next, 6);
    });
    blocks.exchange();
}

TEST(block_moves, links_go_with_their_blocks) {
    cut_into const cut = cut_into::random_graph(12, 30, 5);
    block_set<stored_block> blocks(weft_test::world(), cut, weft_test::make_stored);
    blocks.assign(random_assignment(12, 4));
    blocks.for_each_port<int>([&](stored_block& self, block_port<int>& port) {
        EXPECT_EQ(port.link(), weft::link(cut.link_of(block_id{self.id})));
        EXPECT_EQ(index_of(port.id()), self.id);
    });
    blocks.exchange();
}

TEST(block_moves, moves_that_cannot_be_are_refused_on_all_ranks_and_nothing_moves) {
    block_set<stored_block> blocks(weft_test::world(), cut_into::ring(6), weft_test::make_stored);
    assignment const before = blocks.where();
    bool const mine = before.rank_of(block_id{4}) == weft_test::rank();
    auto const refused = [&](std::vector<block_move> moves) {
        try {
            blocks.move(moves);
        } catch (weft::usage_error const& thrown) { return std::string(thrown.what()); }
        return std::string();
    };
    std::vector<block_move> const none;
    block_move const far{block_id{4}, weft_test::size()};
    block_move const near{block_id{4}, 0};
    EXPECT_NE(refused(mine ? std::vector{far} : none).find("there is no rank"), std::string::npos);
    EXPECT_NE(refused(mine ? std::vector{near, near} : none).find("named twice"), std::string::npos);
    EXPECT_NE(refused({{block_id{6}, 0}}).find("does not have it"), std::string::npos);
    EXPECT_NE(refused({{block_id{-1}, 0}}).find("does not have it"), std::string::npos);
    EXPECT_THROW(blocks.assign(assignment::contiguous(7, weft_test::size())), weft::usage_error);
    EXPECT_THROW(blocks.assign(assignment::contiguous(6, weft_test::size() + 1)), weft::usage_error);
    EXPECT_EQ(blocks.where(), before);
    expect_all_in_place(blocks);
}

TEST(block_moves, a_block_that_does_not_travel_keeps_all_where_they_are) {
    block_set<fragile_block> blocks(weft_test::world(), cut_into::ring(8), [](block_id id) {
        return fragile_block{index_of(id), id == block_id{7}};
    });
    assignment const before = blocks.where();
    std::vector<int> table;
    for (std::int64_t b = 0; b < 8; ++b)
        table.push_back((before.rank_of(block_id{b}) + 1) % weft_test::size());
    assignment const next = assignment::by_table(table, weft_test::size());
    if (weft_test::size() > 1) {
        EXPECT_THROW(blocks.assign(next), weft::usage_error);
        EXPECT_EQ(blocks.where(), before);
    }
    blocks.for_each([](fragile_block& self, block_id id) {
        EXPECT_EQ(self.id, index_of(id));
        self.fails = false;
    });
    blocks.assign(next);
    blocks.for_each([](fragile_block const& self, block_id id) { EXPECT_EQ(self.id, index_of(id)); });
}

// Who has moved goes on at once, and sends to blocks that their new ranks are still taking in.
TEST(block_moves, iexchange_may_follow_a_move_at_once) {
    constexpr std::int64_t count = 9;
    block_set<stored_block> blocks(weft_test::world(), cut_into::ring(count), weft_test::make_stored);
    for (std::uint64_t round = 0; round < 60; ++round) {
        blocks.assign(random_assignment(count, round));
        blocks.for_each_port<std::uint64_t>([&](stored_block&, block_port<std::uint64_t>& port) {
            for (std::int64_t to = 0; to < count; ++to) port.send(block_id{to}, round);
        });
        std::size_t received = 0;
        blocks.iexchange<std::uint64_t>([&](stored_block&, block_port<std::uint64_t>& port) {
            for (std::uint64_t const each : port.received()) {
                EXPECT_EQ(each, round);
                ++received;
            }
        });
        ASSERT_EQ(received, count * blocks.size());
    }
}
