#include <harness/protocols.hpp>

#include <weft/extend/exchange/pending_bytes.hpp>

#include "exchange_rig.hpp"

#include <protocol/exchange/protocol_choice.hpp>
#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

using weft::byte_exchange;
using weft::communicator;
using weft::exchange_options;
using weft::message;
using weft::message_list;
using weft::pending_bytes;
using weft_test::world;

namespace {

class any_pending_bytes : public testing::TestWithParam<weft::protocol> {
protected:
    communicator comm = world().split(0);
    int const rank = comm.rank();
    int const size = comm.size();
    exchange_options const options{.protocol = GetParam()};

    /// `count + r` bytes of the value r to every rank, itself included.
    [[nodiscard]] byte_exchange to_all(std::size_t count) const {
        byte_exchange what;
        what.items = weft::print_of<std::byte>(1);
        for (int to = size - 1; to >= 0; --to) {
            message made{to, weft::buffer(count + static_cast<std::size_t>(rank))};
            std::ranges::fill(made.data.bytes(), static_cast<std::byte>(rank));
            what.outgoing.push_back(std::move(made));
        }
        return what;
    }

    static bool is_from(message const& arrived, int source, std::size_t count) {
        auto const value = static_cast<std::byte>(source);
        return arrived.peer == source && arrived.data.size() == count + static_cast<std::size_t>(source) &&
               std::ranges::all_of(arrived.data.bytes(), [&](std::byte each) { return each == value; });
    }

    void expect_all(message_list const& received, std::size_t count) const {
        ASSERT_EQ(received.size(), static_cast<std::size_t>(size));
        for (int from = 0; from < size; ++from)
            EXPECT_TRUE(is_from(received[static_cast<std::size_t>(from)], from, count));
    }

    void expect_that_the_next_one_works() const {
        pending_bytes next(comm, to_all(3), options);
        next.finish();
        expect_all(next.take(), 3);
    }
};

/// Keeps what it is given, then throws if it is to.
struct keeping_sink final : weft::message_sink {
    keeping_sink(message_list& into, int& existing, bool throws)
        : kept(into), alive(existing), fails(throws) {
        ++alive;
    }
    ~keeping_sink() override { --alive; }
    void take(message_list received) override {
        kept = std::move(received);
        if (fails) throw std::domain_error("a full sink");
    }
    message_list& kept;
    int& alive;
    bool fails;
};

struct counting_handler final : weft::message_handler {
    void handle(message const& arrived) override {
        sources.push_back(arrived.peer);
        if (fails) throw std::domain_error("a handler");
    }
    std::vector<int> sources = {};
    bool fails = false;
};

/// What `call` throws: "domain" here, "remote" for an error of rank `culprit`, as text.
template <class Call>
std::string kind_thrown(Call&& call, int culprit) {
    try {
        call();
    } catch (std::domain_error const&) { return "domain"; } catch (weft::remote_error const& elsewhere) {
        return elsewhere.rank() == culprit ? "remote" : std::string("of another rank: ") + elsewhere.what();
    } catch (std::exception const& other) { return other.what(); }
    return "nothing";
}

} // namespace

INSTANTIATE_TEST_SUITE_P(protocols, any_pending_bytes,
    testing::ValuesIn(weft_test::every_protocol_and_automatic()),
    [](auto const& info) { return std::string(weft::name_of(info.param)); });

TEST(pending_bytes, moves_and_does_not_copy) {
    EXPECT_FALSE(std::is_copy_constructible_v<pending_bytes>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<pending_bytes>);
    EXPECT_TRUE(std::is_move_assignable_v<pending_bytes>);
}

TEST_P(any_pending_bytes, brings_the_messages_by_source) {
    for (std::size_t const count : {std::size_t{0}, std::size_t{5}, std::size_t{100'000}}) {
        pending_bytes pending(comm, to_all(count), options);
        pending.finish();
        expect_all(pending.take(), count);
    }
}

TEST_P(any_pending_bytes, test_completes_without_finish_having_to_wait) {
    pending_bytes pending(comm, to_all(9), options);
    while (!pending.test()) sched_yield();
    EXPECT_TRUE(pending.test());
    pending.finish();
    expect_all(pending.take(), 9);
    EXPECT_THROW((void)pending.test(), weft::usage_error);
    EXPECT_THROW(pending.finish(), weft::usage_error);
}

TEST_P(any_pending_bytes, a_sink_gets_all_messages_and_is_owned) {
    message_list kept;
    int alive = 0;
    {
        byte_exchange what = to_all(4);
        what.sink = weft::detail::owned<weft::message_sink>(new keeping_sink(kept, alive, false));
        pending_bytes pending(comm, std::move(what), options);
        pending.finish();
        expect_all(kept, 4);
        EXPECT_EQ(&static_cast<keeping_sink&>(pending.sink()).kept, &kept);
        EXPECT_EQ(alive, 1);
    }
    EXPECT_EQ(alive, 0);
}

TEST_P(any_pending_bytes, what_a_sink_throws_is_thrown_by_all) {
    for (int const culprit : {0, size - 1}) {
        message_list kept;
        int alive = 0;
        byte_exchange what = to_all(4);
        what.sink = weft::detail::owned<weft::message_sink>(new keeping_sink(kept, alive, rank == culprit));
        std::string const kind = kind_thrown(
            [&] {
                pending_bytes pending(comm, std::move(what), options);
                pending.finish();
            },
            culprit);
        EXPECT_EQ(kind, rank == culprit ? "domain" : "remote");
        expect_all(kept, 4);
        EXPECT_EQ(alive, 0);
        expect_that_the_next_one_works();
    }
}

TEST_P(any_pending_bytes, a_handler_gets_each_message_once) {
    byte_exchange what = to_all(50'000);
    what.in_order_of_arrival = true;
    pending_bytes pending(comm, std::move(what), options);
    counting_handler handler;
    pending.finish(handler);
    std::ranges::sort(handler.sources);
    std::vector<int> expected;
    for (int from = 0; from < size; ++from) expected.push_back(from);
    EXPECT_EQ(handler.sources, expected);
}

TEST_P(any_pending_bytes, what_a_handler_throws_is_thrown_by_all) {
    for (int const culprit : {0, size - 1}) {
        counting_handler handler;
        handler.fails = rank == culprit;
        std::string const kind = kind_thrown(
            [&] {
                byte_exchange what = to_all(4);
                what.in_order_of_arrival = true;
                pending_bytes(comm, std::move(what), options).finish(handler);
            },
            culprit);
        EXPECT_EQ(kind, rank == culprit ? "domain" : "remote");
        EXPECT_EQ(handler.sources.size(), rank == culprit ? 1u : static_cast<std::size_t>(size));
        expect_that_the_next_one_works();
    }
}

TEST_P(any_pending_bytes, a_call_that_fails_on_one_rank_fails_on_all) {
    for (int const culprit : {0, size - 1}) {
        std::string const kind = kind_thrown(
            [&] {
                byte_exchange what;
                what.items = weft::print_of<std::byte>(1);
                if (rank == culprit) what.failure = std::make_exception_ptr(std::domain_error("no"));
                pending_bytes(comm, std::move(what), options).finish();
            },
            culprit);
        EXPECT_EQ(kind, rank == culprit ? "domain" : "remote");
        expect_that_the_next_one_works();
    }
}

TEST_P(any_pending_bytes, sums_ride_along) {
    for (int round = 0; round < 5; ++round) {
        byte_exchange what = to_all(1);
        what.sums = true;
        what.mine = 10 * rank + round;
        pending_bytes pending(comm, std::move(what), options);
        pending.finish();
        EXPECT_EQ(pending.sum(), 10 * size * (size - 1) / 2 + round * size);
        expect_all(pending.take(), 1);
    }
}

TEST_P(any_pending_bytes, what_is_overwritten_is_dropped_and_still_delivered_elsewhere) {
    pending_bytes kept(comm, to_all(1), options);
    {
        pending_bytes other(comm, to_all(2), options);
        kept = std::move(other); // the first is dropped, the second goes on
    }
    kept.finish();
    expect_all(kept.take(), 2);
    pending_bytes moved(std::move(kept));
    EXPECT_THROW((void)kept.test(), weft::usage_error); // NOLINT: that is what is tested
    expect_that_the_next_one_works();
}
