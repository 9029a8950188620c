#include <weft/exchange/exchange_plan.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/observe/counters.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

using weft::exchange_plan;
using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// How many items `from` sends to `to`: -1 for no message. The same on all ranks.
int count_between(unsigned seed, int from, int to) {
    std::mt19937 random(seed * 7919u + static_cast<unsigned>(from) * 131u + static_cast<unsigned>(to));
    return static_cast<int>(random() % 8) - 3 < -1 ? -1 : static_cast<int>(random() % 5);
}

std::int64_t item(int from, int to, int place, int run) {
    return ((from * 1000 + to) * 1000 + place) * 100'000LL + run;
}

struct pattern {
    std::vector<int> destinations;
    std::vector<std::int64_t> counts;

    pattern(unsigned seed, int from) {
        for (int to = 0; to < size(); ++to) {
            if (count_between(seed, from, to) < 0) continue;
            destinations.push_back(to);
            counts.push_back(count_between(seed, from, to));
        }
        std::reverse(destinations.begin(), destinations.end());
        std::reverse(counts.begin(), counts.end());
    }
};

std::vector<std::int64_t> outgoing_of(exchange_plan const& plan, int run) {
    std::vector<std::int64_t> made;
    for (std::size_t i = 0; i < plan.destinations().size(); ++i)
        for (auto j = plan.outgoing_offsets()[i]; j < plan.outgoing_offsets()[i + 1]; ++j)
            made.push_back(
                item(rank(), plan.destinations()[i], static_cast<int>(j - plan.outgoing_offsets()[i]), run));
    return made;
}

std::vector<std::int64_t> expected_in(unsigned seed, int run) {
    std::vector<std::int64_t> made;
    for (int from = 0; from < size(); ++from)
        for (int i = 0; i < count_between(seed, from, rank()); ++i)
            made.push_back(item(from, rank(), i, run));
    return made;
}

exchange_plan make_plan(unsigned seed) {
    pattern const mine(seed, rank());
    return {world(), mine.destinations, mine.counts};
}

} // namespace

TEST(exchange_plan, finds_the_sources) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        exchange_plan const plan = make_plan(seed);
        std::vector<int> sources;
        std::vector<std::int64_t> offsets{0};
        for (int from = 0; from < size(); ++from) {
            if (count_between(seed, from, rank()) < 0) continue;
            sources.push_back(from);
            offsets.push_back(offsets.back() + count_between(seed, from, rank()));
        }
        EXPECT_TRUE(std::ranges::equal(plan.sources(), sources));
        EXPECT_TRUE(std::ranges::equal(plan.incoming_offsets(), offsets));
    }
}

TEST(exchange_plan, brings_the_items_of_every_run) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        exchange_plan const plan = make_plan(seed);
        std::vector<std::int64_t> in(static_cast<std::size_t>(plan.incoming_items()));
        for (int run = 0; run < 20; ++run) {
            auto const out = outgoing_of(plan, run);
            plan.exchange(out, in);
            EXPECT_EQ(in, expected_in(seed, run));
        }
    }
}

TEST(exchange_plan, inverse_brings_everything_back) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        exchange_plan const plan = make_plan(seed);
        exchange_plan const back = plan.inverse();
        EXPECT_TRUE(std::ranges::equal(back.sources(), plan.destinations()));
        EXPECT_TRUE(std::ranges::equal(back.destinations(), plan.sources()));
        auto const out = outgoing_of(plan, 1);
        std::vector<std::int64_t> there(static_cast<std::size_t>(plan.incoming_items()));
        std::vector<std::int64_t> here(out.size());
        plan.exchange(std::span(out), std::span(there));
        back.exchange<std::int64_t>(there, here);
        EXPECT_EQ(here, out);
        EXPECT_TRUE(std::ranges::equal(back.inverse().destinations(), plan.destinations()));
    }
}

TEST(exchange_plan, a_bound_run_reads_what_stands_there_when_it_starts) {
    exchange_plan const plan = make_plan(3);
    std::vector<std::int64_t> out(static_cast<std::size_t>(plan.outgoing_items()));
    std::vector<std::int64_t> in(static_cast<std::size_t>(plan.incoming_items()));
    weft::planned_exchange bound = plan.bind(out, in);
    EXPECT_TRUE(bound.test());
    for (int run = 0; run < 1000; ++run) {
        std::ranges::copy(outgoing_of(plan, run), out.begin());
        bound.start();
        if (run % 2 == 0)
            while (!bound.test()) std::this_thread::yield();
        bound.wait();
        ASSERT_EQ(in, expected_in(3, run));
    }
}

TEST(exchange_plan, plans_that_are_under_way_together_do_not_mix) {
    exchange_plan const first = make_plan(5);
    exchange_plan const second = make_plan(6);
    auto const out_of_first = outgoing_of(first, 1);
    auto const out_of_second = outgoing_of(second, 2);
    std::vector<std::int64_t> in_of_first(static_cast<std::size_t>(first.incoming_items()));
    std::vector<std::int64_t> in_of_second(static_cast<std::size_t>(second.incoming_items()));
    std::vector<std::int64_t> back(out_of_first.size());
    auto one = first.bind<std::int64_t>(out_of_first, in_of_first);
    auto other = second.bind<std::int64_t>(out_of_second, in_of_second);
    auto const answers = expected_in(5, 1);
    auto inverse = first.inverse().bind<std::int64_t>(answers, back);
    for (int run = 0; run < 100; ++run) {
        if (rank() % 2 == 0) {
            one.start();
            other.start();
            inverse.start();
        } else {
            inverse.start();
            other.start();
            one.start();
        }
        other.wait();
        one.wait();
        inverse.wait();
        ASSERT_EQ(in_of_first, expected_in(5, 1));
        ASSERT_EQ(in_of_second, expected_in(6, 2));
        ASSERT_EQ(back, out_of_first);
    }
}

TEST(exchange_plan, items_may_be_of_any_size_and_a_message_of_none) {
    struct wide {
        double values[7];
    };
    int const right = (rank() + 1) % size();
    std::vector<int> const to{right};
    std::vector<std::int64_t> const three{3};
    exchange_plan const plan(world(), to, three);
    std::vector<wide> const out(3, wide{{rank() + 0.5, 1, 2, 3, 4, 5, 6}});
    std::vector<wide> in(3);
    plan.exchange<wide>(out, in);
    EXPECT_EQ(in[2].values[0], (rank() + size() - 1) % size() + 0.5);

    std::vector<std::int64_t> const none{0};
    exchange_plan const empty(world(), to, none);
    EXPECT_EQ(empty.sources().size(), 1u);
    empty.exchange<wide>({}, {});
    exchange_plan const nobody(world(), {}, {});
    nobody.exchange<wide>({}, {});
    EXPECT_TRUE(nobody.bind<wide>({}, {}).test());
}

TEST(exchange_plan, mistakes_are_the_same_error_on_all_ranks) {
    std::vector<std::int64_t> const one{1};
    std::vector<std::int64_t> const two{1, 1};
    auto const text_of = [&](std::vector<int> const& to, std::vector<std::int64_t> const& counts) {
        try {
            bool const mine = rank() == size() - 1; // only one rank is wrong
            exchange_plan const plan(world(), mine ? std::span<int const>(to) : std::span<int const>(),
                mine ? std::span<std::int64_t const>(counts) : std::span<std::int64_t const>());
            return std::string("no error");
        } catch (weft::usage_error const& caught) { return std::string(caught.what()); }
    };
    EXPECT_NE(text_of({0}, two).find("2 counts but 1 destinations on rank"), std::string::npos);
    EXPECT_NE(text_of({0, 0}, two).find("destination 0 occurs more than once"), std::string::npos);
    EXPECT_NE(text_of({0}, {-4}).find("a count of -4 items"), std::string::npos);
    EXPECT_NE(text_of({size()}, one).find("is not a rank"), std::string::npos);
    EXPECT_NE(text_of({0}, {INT64_MAX}).find("more than 2^44 items"), std::string::npos);
    if (size() > 1) {
        EXPECT_NE(text_of({0, 1}, {INT64_MAX, INT64_MAX}).find("more than 2^44 items"), std::string::npos);
    }

    exchange_plan const plan(world(), {}, {});
    std::vector<int> const out(1);
    EXPECT_THROW(plan.exchange<int>(out, {}), weft::usage_error);
    weft::planned_exchange bound = plan.bind<int>(out, {});
    bound.start();
    EXPECT_THROW(bound.wait(), weft::usage_error);
}

TEST(exchange_plan, counts_that_no_memory_has_are_compared_and_need_none) {
    std::int64_t const count = (std::int64_t{1} << 43) + 1;
    exchange_plan const plan(world(), std::vector<int>{0}, std::vector<std::int64_t>{count});
    EXPECT_EQ(plan.incoming_items(), rank() == 0 ? count * size() : 0);
    std::vector<std::int64_t> none;
    EXPECT_THROW(plan.exchange(none, none), weft::usage_error);
    EXPECT_EQ(weft::sum(world(), 1), size());
}

// Before, the ranks to which that one would have sent waited for ever.
TEST(exchange_plan, a_length_that_does_not_fit_is_told_to_those_who_wait_and_the_next_run_works) {
    for (unsigned seed = 0; seed < 12; ++seed) {
        pattern const mine(seed, rank());
        exchange_plan const plan(world(), mine.destinations, mine.counts);
        int const culprit = static_cast<int>(seed) % size();
        std::vector<std::int64_t> const out = outgoing_of(plan, 1);
        std::vector<std::int64_t> in(static_cast<std::size_t>(plan.incoming_items()));
        std::vector<std::int64_t> longer(std::max(out.size(), in.size()) + 1);
        std::span<std::int64_t const> from = out;
        std::span<std::int64_t> into = in;
        if (rank() == culprit && seed % 3 != 1) from = longer;
        if (rank() == culprit && seed % 3 != 0) into = longer;
        weft::planned_exchange bound = plan.bind<std::int64_t>(from, into);
        auto const& sources = plan.sources();
        bool const learns = rank() == culprit || std::ranges::find(sources, culprit) != sources.end();
        for (int run = 0; run < 6; ++run) {
            std::string told = "nothing";
            try {
                if (run % 3 == 0) {
                    plan.exchange<std::int64_t>(from, into);
                } else {
                    bound.start();
                    if (run % 3 == 1)
                        while (!bound.test()) {}
                    bound.wait();
                }
            } catch (weft::usage_error const& caught) { told = caught.what(); }
            EXPECT_EQ(told.find("on rank " + std::to_string(culprit)) != std::string::npos, learns)
                << told << ", seed " << seed << ", run " << run;
            std::ranges::fill(in, -1);
            plan.exchange<std::int64_t>(out, std::span(in));
            EXPECT_EQ(in, expected_in(seed, 1));
            std::vector<std::int64_t> back(out.size(), -1);
            plan.inverse().exchange<std::int64_t>(in, std::span(back));
            EXPECT_EQ(back, out);
        }
    }
}

TEST(exchange_plan, ranks_that_all_fail_or_two_of_them_do_not_wait_for_each_other) {
    std::vector<int> everybody;
    for (int to = 0; to < size(); ++to) everybody.push_back(to);
    exchange_plan const plan(
        world(), everybody, std::vector<std::int64_t>(static_cast<std::size_t>(size()), 100'000));
    std::vector<int> const out(static_cast<std::size_t>(plan.outgoing_items()), rank());
    std::vector<int> in(static_cast<std::size_t>(plan.incoming_items()));
    for (int failing = 1; failing <= size(); ++failing) {
        std::string told = "nothing";
        try {
            plan.exchange<int>(std::span(out).first(rank() < failing ? 1 : out.size()), std::span(in));
        } catch (weft::usage_error const& caught) { told = caught.what(); }
        int const first = rank() < failing ? rank() : 0; // its own error, or that of the lowest
        EXPECT_NE(told.find("on rank " + std::to_string(first)), std::string::npos) << told;
        plan.exchange<int>(out, std::span(in));
        EXPECT_EQ(in.back(), size() - 1);
    }
}

TEST(exchange_plan, a_failure_in_the_next_run_does_not_reach_those_who_are_still_in_this_one) {
    if (size() < 3) return;
    // 0 sends to 1, and 2 sends to 1 later.
    std::vector<int> to;
    if (rank() == 0 || rank() == 2) to = {1};
    exchange_plan const plan(world(), to, std::vector<std::int64_t>(to.size(), 1));
    std::vector<int> const out(to.size(), rank());
    std::vector<int> in(static_cast<std::size_t>(plan.incoming_items()));
    std::vector<int> const none;
    for (int round = 0; round < 20; ++round) {
        if (rank() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_NO_THROW(plan.exchange<int>(out, std::span(in)));
        if (rank() < 2) {
            EXPECT_THROW(plan.exchange<int>(rank() == 0 ? none : out, std::span(in)), weft::usage_error);
        } else {
            plan.exchange<int>(out, std::span(in));
        }
    }
}

TEST(exchange_plan, a_rank_that_refuses_a_run_tells_those_it_would_have_sent_to) {
    for (unsigned seed = 0; seed < 6; ++seed) {
        exchange_plan const plan = make_plan(seed);
        int const culprit = static_cast<int>(seed) % size();
        std::vector<std::int64_t> const out = outgoing_of(plan, 1);
        std::vector<std::int64_t> in(static_cast<std::size_t>(plan.incoming_items()));
        std::string told;
        try {
            if (rank() == culprit) plan.refuse(std::make_exception_ptr(std::bad_alloc()));
            plan.exchange<std::int64_t>(out, std::span(in));
        } catch (std::bad_alloc const&) { told = "own"; } catch (weft::remote_error const&) {
            told = "of another";
        }
        bool const waits = std::ranges::find(plan.sources(), culprit) != plan.sources().end();
        EXPECT_EQ(told, rank() == culprit ? "own" : waits ? "of another" : "") << "seed " << seed;
        plan.exchange<std::int64_t>(out, std::span(in));
        EXPECT_EQ(in, expected_in(seed, 1));
    }
}

TEST(exchange_plan, start_during_a_run_is_refused) {
    int const right = (rank() + 1) % size();
    std::vector<int> const to{right};
    std::vector<std::int64_t> const one{1};
    exchange_plan const plan(world(), to, one);
    std::vector<int> const out{rank()};
    std::vector<int> in(1);
    auto bound = plan.bind<int>(out, in);
    bound.start();
    if (size() > 1) { EXPECT_THROW(bound.start(), weft::usage_error); }
    bound.wait();
    EXPECT_EQ(in.front(), (rank() + size() - 1) % size());
}

TEST(exchange_plan, tags_return_although_ranks_drop_different_plans_first) {
    std::mt19937 random(static_cast<unsigned>(rank()));
    std::vector<exchange_plan> alive;
    for (int i = 0; i < 200; ++i) {
        alive.push_back(make_plan(static_cast<unsigned>(i)));
        if (alive.size() > 5) alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(random() % 5));
        auto const& newest = alive.back();
        std::vector<std::int64_t> in(static_cast<std::size_t>(newest.incoming_items()));
        newest.exchange<std::int64_t>(outgoing_of(newest, i), in);
        ASSERT_EQ(in, expected_in(static_cast<unsigned>(i), i));
    }
    EXPECT_LT(long_tags(world()).propose(weft::tag_pool::first), weft::tag_pool::first + 100);
}

TEST(exchange_plan, counts_messages_and_bytes) {
    exchange_plan const plan = make_plan(9);
    std::vector<std::int64_t> in(static_cast<std::size_t>(plan.incoming_items()));
    auto const out = outgoing_of(plan, 0);
    weft::counters const before = weft::counters_of(world());
    plan.exchange<std::int64_t>(out, in);
    weft::counters const made = weft::counters_of(world()) - before;
    bool const to_self = count_between(9, rank(), rank()) >= 0;
    EXPECT_EQ(made.messages, static_cast<std::int64_t>(plan.destinations().size()) - (to_self ? 1 : 0));
    EXPECT_EQ(made.self_messages, to_self ? 1 : 0);
    EXPECT_EQ(made.bytes + made.self_bytes, static_cast<std::int64_t>(8 * out.size()));
}
