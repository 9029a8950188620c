#include "mailbox_rig.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

namespace weft_test {
namespace {

std::vector<int> random_ranks(std::size_t number, std::uint64_t stream) {
    std::mt19937_64 chance = random(stream);
    std::vector<int> made(number);
    for (int& each : made) each = static_cast<int>(chance() % static_cast<unsigned>(size()));
    return made;
}

TEST(service, answers_come_in_the_order_of_the_queries) {
    for_all_ways([](weft::mailbox& mail) {
        auto const lookup = mail.service<std::int64_t, std::int64_t>(
            [](std::int64_t query) { return 1000 * query + rank(); });
        auto const batched = mail.service<int, double>([](std::span<int const> asked, std::span<double> out) {
            for (std::size_t i = 0; i < asked.size(); ++i) out[i] = asked[i] + 0.5 * rank();
        });
        auto const to = random_ranks(20000, static_cast<std::uint64_t>(rank()));
        std::vector<std::int64_t> queries(to.size());
        std::vector<int> small(to.size());
        for (std::size_t i = 0; i < to.size(); ++i) {
            queries[i] = static_cast<std::int64_t>(i);
            small[i] = static_cast<int>(i);
        }
        auto const answers = lookup.ask(to, queries);
        auto const halves = batched.ask(to, small);
        int wrong = 0;
        for (std::size_t i = 0; i < to.size(); ++i) {
            wrong += answers[i] != 1000 * static_cast<std::int64_t>(i) + to[i];
            wrong += halves[i] != static_cast<double>(i) + 0.5 * to[i];
        }
        EXPECT_EQ(wrong, 0);
        mail.drain();
    });
}

TEST(service, a_second_ask_leaves_the_first_answers_alone) {
    weft::mailbox mail(world());
    auto const lookup = mail.service<int, int>([](int query) { return -query; });
    std::vector<int> const first_to{0};
    std::vector<int> const second_to(3, size() - 1);
    auto const first = lookup.ask(first_to, std::vector<int>{7});
    auto const second = lookup.ask(second_to, std::vector<int>{1, 2, 3});
    mail.drain();
    EXPECT_EQ(first, std::vector<int>{-7});
    EXPECT_EQ(second, (std::vector<int>{-1, -2, -3}));
}

TEST(service, a_closed_one_answers_by_nothing_and_the_phase_fails) {
    weft::mailbox mail(world());
    auto held = std::make_shared<int>(7);
    std::weak_ptr<int> const seen = held;
    auto const lookup = mail.service<int, int>([held](int query) { return query + *held; });
    held.reset();
    std::vector<int> const to{0};
    EXPECT_EQ(lookup.ask(to, std::vector<int>{1}), std::vector<int>{8});
    mail.drain();
    if (rank() == 0) lookup.close();
    EXPECT_EQ(seen.expired(), rank() == 0);
    EXPECT_EQ(lookup.ask(to, std::vector<int>{1}), std::vector<int>{0});
    EXPECT_THROW(mail.drain(), weft::usage_error);
}

TEST(service, nobody_need_ask) {
    weft::mailbox mail(world());
    auto const lookup = mail.service<int, int>([](int query) { return query + 1; });
    if (rank() == size() - 1) {
        std::vector<int> const to(100, 0);
        EXPECT_EQ(lookup.ask(to, std::vector<int>(100, 4)), std::vector<int>(100, 5));
    }
    mail.drain();
}

TEST(service, an_error_of_a_handler_stops_nobody_and_comes_with_the_drain) {
    for_all_ways([](weft::mailbox& mail) {
        auto const lookup = mail.service<int, int>([](int query) {
            if (query == 13) throw std::runtime_error("thirteen");
            return query;
        });
        auto const to = random_ranks(500, static_cast<std::uint64_t>(rank()));
        std::vector<int> queries(to.size(), 1);
        queries[100] = 13;
        EXPECT_EQ(lookup.ask(to, queries).size(), queries.size());
        EXPECT_ANY_THROW(mail.drain());
        EXPECT_EQ(lookup.ask(to, std::vector<int>(to.size(), 2)), std::vector<int>(to.size(), 2));
        mail.drain();
    });
}

TEST(service, asking_in_a_handler_or_nobody_is_refused) {
    weft::mailbox mail(world());
    auto const lookup = mail.service<int, int>([](int query) { return query; });
    auto const to =
        mail.channel<int>([&](int) { (void)lookup.ask(std::vector<int>{0}, std::vector<int>{1}); });
    EXPECT_THROW((void)lookup.ask(std::vector<int>{size()}, std::vector<int>{1}), weft::usage_error);
    EXPECT_THROW((void)lookup.ask(std::vector<int>{0, 0}, std::vector<int>{1}), weft::usage_error);
    if (rank() == 0) to.send(0, 1);
    EXPECT_THROW(mail.drain(), weft::usage_error);
}

TEST(service, in_handlers_of_another_mailbox_what_waits_or_closes_is_refused) {
    weft::mailbox first(world());
    weft::mailbox second(world());
    auto const squares = second.service<std::int64_t, std::int64_t>([](std::int64_t q) { return q * q; });
    auto const other = second.channel<int>([](int) {});
    int const next = (rank() + 1) % size();
    int refused = 0;
    auto const count_refused = [&](auto&& call) {
        try {
            call();
        } catch (weft::usage_error const&) { ++refused; }
    };
    auto const to = first.channel<std::int64_t>([&](std::int64_t item) {
        count_refused([&] { (void)squares.ask(std::vector<int>{next}, std::vector<std::int64_t>{item}); });
        count_refused([&] { second.drain(); });
        count_refused([&] { (void)second.test_empty(); });
        count_refused([&] { squares.close(); });
        count_refused([&] { other.close(); });
    });
    for (int i = 0; i < 100; ++i) to.send(next, i);
    std::vector<int> destinations;
    std::vector<std::int64_t> queries;
    for (int i = 0; i < 50'000; ++i) {
        destinations.push_back(i % size());
        queries.push_back(i);
    }
    auto const answers = squares.ask(destinations, queries);
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) wrong += answers[i] != queries[i] * queries[i];
    first.drain();
    second.drain();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(refused, 500);
}

TEST(service, answers_to_an_ask_that_failed_are_not_those_of_the_next_one) {
    if (size() < 3) return;
    using large = std::array<std::int64_t, 8>;
    for (int round = 0; round < 3; ++round) {
        weft::mailbox mail(world(), {.buffer_bytes = 1 << 16});
        auto const squares = mail.service<std::int64_t, std::int64_t>([](std::int64_t q) { return q * q; });
        int const last = size() - 1;
        if (rank() == last) { // more comes for the channel that this rank makes below than it may keep
            EXPECT_THROW((void)squares.ask(std::vector<int>(2000, 0), std::vector<std::int64_t>(2000, 7)),
                weft::usage_error);
        }
        std::int64_t got = 0;
        auto const late = mail.channel<large>([&](large const& item) { got += item[0]; });
        if (rank() == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(700)); // so that the ask above fails
        if (rank() > 0 && rank() < last)
            for (int i = 0; i < 40'000; ++i) late.send(last, large{1});
        if (rank() == last) {
            std::vector<std::int64_t> queries(100);
            std::iota(queries.begin(), queries.end(), 0);
            auto const answers = squares.ask(std::vector<int>(100, 0), queries);
            for (std::size_t i = 0; i < queries.size(); ++i) EXPECT_EQ(answers[i], queries[i] * queries[i]);
        }
        mail.drain();
        EXPECT_EQ(got, rank() == last ? 40'000 * (size() - 2) : 0);
    }
}

TEST(service, a_channel_that_others_made_and_used_meanwhile_stops_no_answer) {
    // A rank that passes all on keeps up to 7 x 60 runs of some 130 bytes, and no more than 64 KiB.
    for (int const items : {1, 60})
        for_all_ways(
            [&](weft::mailbox& mail) {
                auto const lookup = mail.service<int, int>([](int query) { return query + 1; });
                std::vector<int> heard;
                auto const make = [&] {
                    return mail.channel<int>([&](int source, int item) {
                        if (source == 0) heard.push_back(item);
                    });
                };
                std::vector<int> const to(100, 0);
                std::vector<int> const queries(100, 4);
                if (rank() == 0) {
                    auto const late = make();
                    for (int i = 0; i < items; ++i)
                        for (int r = 0; r < size(); ++r) late.send(r, i);
                    mail.drain();
                } else {
                    for (int i = 0; i < 3; ++i) EXPECT_EQ(lookup.ask(to, queries), std::vector<int>(100, 5));
                    auto const late = make();
                    late.send(0, 7);
                    mail.drain();
                }
                std::vector<int> expected(static_cast<std::size_t>(items));
                std::iota(expected.begin(), expected.end(), 0);
                EXPECT_EQ(heard, expected);
            },
            {.buffer_bytes = 65536});
}

} // namespace
} // namespace weft_test
