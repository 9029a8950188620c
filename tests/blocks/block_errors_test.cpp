/// What goes wrong on one rank, in every place where blocks run code of users or unpack messages: all ranks
/// throw, and the set can be used again.
#include <weft/blocks/block_set.hpp>

#include "block_rig.hpp"

#include <harness/mpi_test.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using weft::assignment;
using weft::block_id;
using weft::block_port;
using weft::block_set;
using weft::index_of;
using weft_test::cut_into;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// What all ranks learn of what `call` throws. Collective.
template <class Call>
void expect_everywhere(std::string const& text, Call&& call) {
    std::string told = "nothing was thrown";
    try {
        call();
    } catch (std::exception const& caught) { told = caught.what(); }
    EXPECT_NE(told.find(text), std::string::npos) << told;
}

/// A value that one rank cannot read.
struct guarded_value {
    std::int64_t value = 0;

    static void wire(auto& archive, auto& self) {
        archive(self.value);
        bool const reading = !std::is_const_v<std::remove_reference_t<decltype(self)>>;
        if (reading && self.value < 0 && rank() == size() - 1) throw std::domain_error("it cannot be read");
    }
};

/// Does not know on one rank how many blocks it has.
struct forgetful_cut {
    bool forgets;
    [[nodiscard]] std::int64_t blocks() const {
        if (forgets) throw std::domain_error("how many blocks?");
        return 4;
    }
    [[nodiscard]] std::vector<block_id> link_of(block_id) const { return {}; }
};

std::int64_t send_to_next(block_set<std::int64_t>& blocks) {
    std::int64_t const count = blocks.where().blocks();
    blocks.for_each_port<std::int64_t>([&](std::int64_t const& self, block_port<std::int64_t>& port) {
        port.send(block_id{(self + 1) % count}, self);
        port.send(block_id{(self + 2) % count}, self);
    });
    return 2 * count;
}

std::int64_t received_by_all(block_set<std::int64_t>& blocks) {
    std::int64_t mine = 0;
    blocks.for_each_port<std::int64_t>([&](std::int64_t const&, block_port<std::int64_t>& port) {
        for ([[maybe_unused]] auto const& each : port.received()) ++mine;
    });
    return weft::sum(world(), mine);
}

} // namespace

// Before, those of blocks that stayed were forgotten: a loop until nothing is sent ended too early.
TEST(block_errors, what_was_sent_before_blocks_moved_is_counted) {
    auto const make = [](block_id id) { return index_of(id); };
    block_set<std::int64_t> blocks(world(), cut_into::ring(9), make);
    std::int64_t sent = send_to_next(blocks);
    std::vector<weft::block_move> moves;
    if (blocks.size() > 1) moves.push_back({blocks.where().block_at(rank(), 0), (rank() + 1) % size()});
    blocks.move(moves);
    EXPECT_EQ(blocks.exchange(), sent);
    EXPECT_EQ(received_by_all(blocks), sent);

    sent = send_to_next(blocks);
    blocks.assign(assignment::round_robin(9, size()));
    EXPECT_EQ(blocks.exchange(), sent);
    EXPECT_EQ(received_by_all(blocks), sent);

    sent = send_to_next(blocks);
    (void)blocks.balance([](std::int64_t, block_id id) { return id == block_id{0} ? 20.0 : 1.0; });
    EXPECT_EQ(blocks.exchange(), sent);
    EXPECT_EQ(blocks.exchange(), 0);

    sent = send_to_next(blocks);
    std::string const path = "block_errors_test." + std::to_string(size()) + ".blocks";
    blocks.save(path);
    auto loaded = block_set<std::int64_t>::load(world(), path);
    EXPECT_EQ(loaded.exchange(), sent);
    EXPECT_EQ(blocks.exchange(), sent);
    if (rank() == 0) std::remove(path.c_str());
}

TEST(block_errors, messages_that_a_failed_phase_lost_are_not_counted) {
    for (int const threads : {1, 2}) {
        block_set<std::int64_t> blocks(
            world(), cut_into::ring(6), [](block_id id) { return index_of(id); }, {.threads = threads});
        (void)send_to_next(blocks);
        expect_everywhere("block 3 is tired", [&] {
            blocks.iexchange<std::int64_t>([](std::int64_t const& self, block_port<std::int64_t>& port) {
                port.send(block_id{0}, self);
                if (self == 3) throw std::domain_error("block 3 is tired");
            });
        });
        EXPECT_EQ(blocks.exchange(), 0);
        EXPECT_EQ(received_by_all(blocks), 0);
        std::int64_t const sent = send_to_next(blocks);
        EXPECT_EQ(blocks.exchange(), sent);
    }
}

// The ranks have agreed by then; before, that one threw alone and the others went on and waited for it.
TEST(block_errors, a_message_that_cannot_be_unpacked_is_told_to_all_by_the_next_call) {
    if (size() < 2) return;
    // Ranks that do not mean the same: of the last two blocks rank 1 has one less than the others believe.
    std::vector<int> table{0, 1, 1, rank() == 1 ? 0 : 1};
    block_set<std::int64_t> blocks(world(), cut_into{4, [](block_id) { return std::vector<block_id>{}; }},
        assignment::by_table(table, size()), [](block_id id) { return index_of(id); });
    for (int round = 0; round < 3; ++round) {
        std::int64_t const sent = blocks.exchange<std::int64_t>([&](std::int64_t const& self, auto& port) {
            if (self == 0 && rank() == 0) port.send(block_id{3}, self);
        });
        EXPECT_EQ(sent, 1);
        expect_everywhere("sends a message for its block 2", [&] { (void)blocks.exchange(); });
        EXPECT_EQ(blocks.exchange(), 0);
    }
}

TEST(block_errors, an_assignment_that_is_not_the_same_is_found_out_by_the_links) {
    if (size() < 2) return;
    std::vector<int> table{0, 1, 1, rank() == 1 ? 0 : 1};
    expect_everywhere("not the same on all ranks", [&] {
        block_set<std::int64_t> const blocks(world(), cut_into::ring(4), assignment::by_table(table, size()),
            [](block_id id) { return index_of(id); });
    });
}

TEST(block_errors, a_decomposition_that_does_not_know_its_blocks_on_one_rank) {
    expect_everywhere("how many blocks?", [] {
        block_set<int> const blocks(world(), forgetful_cut{rank() == size() - 1}, [](block_id) { return 0; });
    });
}

TEST(block_errors, costs_that_one_rank_does_not_measure) {
    block_set<int> blocks(
        world(), cut_into::ring(4), [](block_id) { return 0; }, {.measure_costs = rank() != size() - 1});
    expect_everywhere("measure_costs", [&] { (void)blocks.balance(); });
    blocks.for_each([](int& self, block_id) { ++self; });
}

TEST(block_errors, a_result_that_one_rank_cannot_read) {
    block_set<int> blocks(world(), cut_into::ring(5), [](block_id) { return 0; });
    auto const reduce = [&](std::int64_t of_each) {
        return blocks
            .all_reduce<guarded_value>([&](int, block_id) { return guarded_value{of_each}; },
                [](guarded_value a, guarded_value b) { return guarded_value{a.value + b.value}; })
            .value;
    };
    EXPECT_EQ(reduce(1), 5);
    if (size() > 1) expect_everywhere("it cannot be read", [&] { (void)reduce(-1); });
    EXPECT_EQ(reduce(2), 10);
}

TEST(block_errors, callbacks_that_throw_in_every_collective_call) {
    for (int const threads : {1, 2}) {
        block_set<std::int64_t> blocks(
            world(), cut_into::ring(5), [](block_id id) { return index_of(id); }, {.threads = threads});
        // Sends once: a block that always answers itself would run for ever, before the one that throws.
        auto const fails = [](std::int64_t const& self, block_port<std::int64_t>& port) {
            if (port.received().begin() == port.received().end()) port.send(block_id{0}, self);
            if (self == 4) throw std::domain_error("block 4 refuses");
        };
        auto const expect_refusal = [&](auto&& call) {
            expect_everywhere("block 4 refuses", call);
            EXPECT_EQ(received_by_all(blocks), 0);
            EXPECT_EQ(blocks.exchange(), 0);
        };
        expect_refusal([&] { (void)blocks.exchange<std::int64_t>(fails); });
        expect_refusal([&] { blocks.iexchange<std::int64_t>(fails); });
        expect_refusal([&] {
            blocks.exchange_neighbors<std::int64_t>([](std::int64_t const& self, auto&) {
                if (self == 4) throw std::domain_error("block 4 refuses");
            });
            (void)blocks.exchange();
        });
        auto const look_fails = [](std::int64_t const& self, block_id) {
            if (self == 4) throw std::domain_error("block 4 refuses");
            return std::int64_t{1};
        };
        expect_refusal([&] { blocks.for_each(look_fails); });
        expect_refusal([&] { (void)blocks.all_reduce<std::int64_t>(look_fails, std::plus<>{}); });
        expect_refusal([&] {
            (void)blocks.balance(
                [&](std::int64_t self, block_id id) { return static_cast<double>(look_fails(self, id)); });
        });
        expect_refusal([&] {
            (void)blocks.all_reduce<std::int64_t>([](std::int64_t, block_id) { return std::int64_t{1}; },
                [](std::int64_t, std::int64_t) -> std::int64_t {
                    throw std::domain_error("block 4 refuses");
                });
        });
    }
}

TEST(block_errors, a_rank_that_leaves_the_set_ends_the_iexchange_of_the_others) {
    if (size() < 2) return;
    for (int const threads : {1, 2}) {
        std::string const named =
            "rank " + std::to_string(size() - 1) + " has left the mailbox by an exception";
        expect_everywhere(rank() == size() - 1 ? "it has enough" : named, [&] {
            block_set<std::int64_t> blocks(world(), cut_into::ring(2 * size()),
                [](block_id id) { return index_of(id); }, {.threads = threads});
            auto const passes_on = [](std::int64_t& self, block_port<std::int64_t>& port) {
                if (self > 0)
                    for (block_id const to : port.link()) port.send(to, --self);
                for (std::int64_t const each : port.received()) self = each / 2;
                return self <= 0;
            };
            blocks.iexchange<std::int64_t>(passes_on);
            if (rank() == size() - 1) throw std::domain_error("it has enough"); // nothing is under way
            blocks.iexchange<std::int64_t>(passes_on);
        });
        EXPECT_EQ(weft::sum(world(), 1), size());
    }
}

TEST(block_errors, sets_that_drop_late_messages_of_neighbours_give_their_tags_back) {
    auto const comm = world().split(0);
    int const lowest = long_tags(comm).propose(weft::tag_pool::first);
    for (int round = 0; round < 10; ++round) {
        block_set<std::int64_t> blocks(
            comm, cut_into::ring(2 * size()), [](block_id id) { return index_of(id); });
        blocks.exchange_neighbors<std::int64_t>(
            [](std::int64_t const& self, block_port<std::int64_t>& port) {
                for (block_id const to : port.link()) port.send(to, self);
            },
            {.count = 1000}); // waits for nothing
    }
    { weft::mailbox const takes_tags(comm); }
    EXPECT_EQ(long_tags(comm).propose(weft::tag_pool::first), lowest);
}
