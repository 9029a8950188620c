/// Exchanges under way: several at once, completed in any order, dropped.
#include "exchange_rig.hpp"

#include <harness/protocols.hpp>

#include <weft/core/error.hpp>
#include <weft/mpi.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

using weft::communicator;
using weft::exchange_options;
using weft::inbox;
using weft::outbox;
using weft::pending_exchange;
using weft::protocol;
using weft_test::world;

namespace {

class exchange_handles : public testing::TestWithParam<protocol> {
protected:
    communicator comm = world().split(0);
    int const rank = comm.rank();
    int const size = comm.size();
    exchange_options const options{.protocol = GetParam()};

    /// Every rank sends `number` and its rank to the rank `number + 1` further on.
    [[nodiscard]] pending_exchange<int> start(int number) const {
        outbox<int> out(comm);
        out[(rank + number + 1) % size].push_back(number);
        out[(rank + number + 1) % size].push_back(rank);
        return weft::start_exchange(std::move(out), options);
    }

    void expect_result(inbox<int> const& box, int number) const {
        int const from = ((rank - number - 1) % size + size) % size;
        EXPECT_EQ(box.size(), 1u);
        EXPECT_EQ(box.concatenate(), (std::vector<int>{number, from}));
    }

    /// The numbers below `count` in an order that differs by rank.
    [[nodiscard]] std::vector<int> own_order(int count) const {
        std::vector<int> order(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), 0);
        std::ranges::shuffle(order, std::mt19937(static_cast<unsigned>(rank)));
        return order;
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(protocols, exchange_handles,
    testing::ValuesIn(weft_test::every_protocol_and_automatic()),
    [](auto const& info) { return std::string(weft::name_of(info.param)); });

TEST_P(exchange_handles, wait_completes_and_leaves_the_messages_for_get) {
    auto first = start(0);
    auto second = start(1);
    second.wait();
    EXPECT_TRUE(second.test());
    second.wait();
    first.wait();
    expect_result(std::move(first).get(), 0);
    expect_result(std::move(second).get(), 1);
    EXPECT_THROW(second.wait(), weft::usage_error); // NOLINT(bugprone-use-after-move): that is the point
}

TEST_P(exchange_handles, wait_and_then_get_throw_the_agreed_error) {
    outbox<int> out(comm);
    out[rank == 0 ? size : 0].push_back(1); // there is no such rank
    auto pending = weft::start_exchange(std::move(out), options);
    EXPECT_THROW(pending.wait(), weft::usage_error);
    EXPECT_THROW((void)std::move(pending).get(), weft::usage_error);
}

TEST_P(exchange_handles, two_may_be_completed_in_different_orders_on_different_ranks) {
    for (int round = 0; round < 20; ++round) {
        auto first = start(2 * round);
        auto second = start(2 * round + 1);
        if ((rank + round) % 2 == 0) {
            expect_result(std::move(first).get(), 2 * round);
            expect_result(std::move(second).get(), 2 * round + 1);
        } else {
            expect_result(std::move(second).get(), 2 * round + 1);
            expect_result(std::move(first).get(), 2 * round);
        }
    }
}

TEST_P(exchange_handles, twenty_may_be_open_at_once) {
    constexpr int open = 20;
    for (int round = 0; round < 3; ++round) {
        std::vector<pending_exchange<int>> pending;
        for (int i = 0; i < open; ++i) pending.push_back(start(i));
        for (int const i : own_order(open))
            expect_result(std::move(pending[static_cast<std::size_t>(i)]).get(), i);
    }
}

TEST_P(exchange_handles, one_begun_later_may_be_completed_while_an_earlier_one_waits) {
    // Rank 0 completes the second exchange before it asks for the first, the others wait for the first.
    auto first = start(1);
    auto second = start(2);
    if (rank == 0) expect_result(std::move(second).get(), 2);
    expect_result(std::move(first).get(), 1);
    if (rank != 0) expect_result(std::move(second).get(), 2);
    expect_result(start(3).get(), 3);
}

TEST_P(exchange_handles, test_says_when_get_returns_at_once) {
    auto pending = start(4);
    while (!pending.test()) sched_yield();
    EXPECT_TRUE(pending.test());
    expect_result(std::move(pending).get(), 4);
}

TEST_P(exchange_handles, test_of_one_gets_the_others_on) {
    auto first = start(1);
    auto second = start(2);
    while (!second.test()) sched_yield();
    while (!first.test()) sched_yield();
    expect_result(std::move(first).get(), 1);
    expect_result(std::move(second).get(), 2);
}

TEST_P(exchange_handles, other_collective_calls_may_come_in_between) {
    auto pending = start(1);
    EXPECT_EQ(weft::sum(comm, 1), size);
    expect_result(start(2).get(), 2);
    EXPECT_EQ(weft::all_gather(comm, rank).back(), size - 1);
    expect_result(std::move(pending).get(), 1);
}

TEST_P(exchange_handles, exchanges_of_a_part_and_of_the_whole_may_be_open_together) {
    communicator const part = comm.split(rank % 2, -rank);
    auto whole = start(1);
    outbox<int> out(part);
    out[(part.rank() + 1) % part.size()].push_back(part.rank());
    auto inner = weft::start_exchange(std::move(out), options);
    auto const finish_inner = [&] {
        EXPECT_EQ(std::move(inner).get().concatenate(),
            std::vector<int>{(part.rank() + part.size() - 1) % part.size()});
    };
    if (rank % 3 == 0) finish_inner();
    expect_result(std::move(whole).get(), 1);
    if (rank % 3 != 0) finish_inner();
}

TEST_P(exchange_handles, a_dropped_one_does_no_harm) {
    for (int round = 0; round < 50; ++round) {
        { auto const dropped = start(round); }
        expect_result(start(round + 1).get(), round + 1);
    }
}

TEST_P(exchange_handles, dropping_is_local) {
    for (int round = 0; round < 30; ++round) {
        {
            auto pending = start(round);
            if ((rank + round) % 2 == 0) expect_result(std::move(pending).get(), round);
        }
        EXPECT_EQ(weft::sum(comm, 1), size);
    }
}

TEST_P(exchange_handles, on_two_roots_may_be_dropped_and_completed_in_any_order) {
    MPI_Comm users = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &users);
    {
        communicator const other = weft::make_communicator(users);
        for (int round = 0; round < 6; ++round) {
            auto here = start(round);
            outbox<int> out(other);
            out[(rank + 1) % size].push_back(rank);
            auto there = weft::start_exchange(std::move(out), options);
            int const from = (rank + size - 1) % size;
            if ((rank + round) % 3 == 0) { // waits on one, having dropped the other
                { auto const dropped = std::move(there); }
                expect_result(std::move(here).get(), round);
            } else if ((rank + round) % 3 == 1) {
                EXPECT_EQ(std::move(there).get().concatenate(), std::vector<int>{from});
                expect_result(std::move(here).get(), round);
            } else {
                expect_result(std::move(here).get(), round);
                EXPECT_EQ(std::move(there).get().concatenate(), std::vector<int>{from});
            }
        }
        EXPECT_EQ(weft::sum(comm, 1), size);
    }
    MPI_Comm_free(&users);
}

TEST_P(exchange_handles, one_may_be_dropped_after_it_is_complete) {
    {
        auto pending = start(1);
        while (!pending.test()) sched_yield();
    }
    expect_result(start(2).get(), 2);
}

TEST_P(exchange_handles, large_messages_of_a_dropped_one_leave_their_buffers_in_peace) {
    for (int round = 0; round < 5; ++round) {
        outbox<char> out(comm);
        out[(rank + 1) % size].append(std::vector<char>(1'000'000, 'x'));
        { auto const dropped = weft::start_exchange(std::move(out), options); }
    }
    expect_result(start(1).get(), 1);
}

TEST_P(exchange_handles, move_and_the_empty_one_refuses) {
    auto first = start(1);
    auto moved = std::move(first);
    expect_result(std::move(moved).get(), 1);
    EXPECT_THROW((void)std::move(moved).get(), weft::usage_error); // NOLINT: that is what is tested
    EXPECT_THROW((void)moved.test(), weft::usage_error);           // NOLINT

    auto second = start(2);
    auto third = start(3);
    second = std::move(third); // the old second is dropped
    expect_result(std::move(second).get(), 3);
}

TEST_P(exchange_handles, beyond_half_a_window_the_oldest_is_completed_first) {
    weft::settings four_tags = comm.settings();
    four_tags.tag_window = 4;
    communicator const narrow = comm.with(four_tags);
    std::vector<pending_exchange<int>> open;
    for (int number = 0; number < 6; ++number) {
        outbox<int> out(narrow);
        out[(rank + 1) % size].push_back(number);
        open.push_back(weft::start_exchange(std::move(out), options));
    }
    for (int const number : own_order(6)) {
        auto const box = std::move(open[static_cast<std::size_t>(number)]).get();
        EXPECT_EQ(box.concatenate(), std::vector<int>{number});
    }
}

TEST_P(exchange_handles, a_handler_that_fills_the_window_of_its_own_exchange_is_refused) {
    weft::settings two_tags = comm.settings();
    two_tags.tag_window = 2;
    communicator const narrow = comm.with(two_tags);
    outbox<int> out(narrow);
    out[(rank + 1) % size].push_back(1);
    EXPECT_THROW(
        weft::exchange(
            std::move(out),
            [&](int, std::span<int const>) { (void)weft::start_exchange(outbox<int>(narrow), options); },
            options),
        weft::usage_error);
    (void)weft::exchange(outbox<int>(narrow), options);
}

// A dropped one holds its place until it is complete, which differs by rank and moment: a refusal would be a
// hang elsewhere.
TEST_P(exchange_handles, dropped_ones_never_fill_a_narrow_window) {
    weft::settings two_tags = comm.settings();
    two_tags.tag_window = 2;
    communicator const narrow = comm.with(two_tags);
    for (int round = 0; round < 20; ++round) {
        { auto const dropped = weft::start_exchange(outbox<int>(narrow), options); }
        (void)weft::exchange(outbox<int>(narrow), options);
    }
}

TEST_P(exchange_handles, a_part_works_while_the_rest_of_the_world_waits_in_a_barrier) {
    communicator const part = comm.split(rank < (size + 1) / 2 ? 0 : 1);
    if (rank < (size + 1) / 2)
        for (int round = 0; round < 60; ++round) {
            outbox<int> out(part);
            out[(part.rank() + 1) % part.size()].push_back(round);
            std::vector<int> received;
            if (round % 3 == 0) {
                received = weft::exchange(std::move(out), options).concatenate();
            } else if (round % 3 == 1) {
                received = weft::start_exchange(std::move(out), options).get().concatenate();
            } else {
                weft::exchange(
                    std::move(out),
                    [&](int, std::span<int const> items) { received.assign(items.begin(), items.end()); },
                    options);
            }
            EXPECT_EQ(received, std::vector<int>{round});
        }
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(exchange_handles, of_encoded_items_may_be_completed_in_any_order) {
    for (int round = 0; round < 10; ++round) {
        std::vector<pending_exchange<std::string>> open;
        for (int number = 0; number < 6; ++number) {
            outbox<std::string> out(comm);
            out[(rank + number) % size].push_back(std::to_string(number) + " from " + std::to_string(rank));
            open.push_back(weft::start_exchange(std::move(out), options));
        }
        for (int const number : own_order(6)) {
            int const from = ((rank - number) % size + size) % size;
            auto const box = std::move(open[static_cast<std::size_t>(number)]).get();
            EXPECT_EQ(box.concatenate(),
                std::vector<std::string>{std::to_string(number) + " from " + std::to_string(from)});
        }
    }
}

TEST_P(exchange_handles, of_encoded_items_may_be_dropped) {
    for (int round = 0; round < 10; ++round) {
        outbox<std::string> out(comm);
        out[(rank + 1) % size].push_back("lost");
        { auto const dropped = weft::start_exchange(std::move(out), options); }
        auto again = start(round);
        expect_result(std::move(again).get(), round);
    }
}
