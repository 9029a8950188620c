/// A set of blocks without types: what it checks, keeps, counts and orders.
#include <weft/blocks/block_port.hpp>
#include <weft/detail/blocks/block_core.hpp>

#include <harness/mpi_test.hpp>

#include <weft/core/error.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using weft::assignment;
using weft::block_id;
using weft::block_port;
using weft::index_of;
using weft::detail::block_core;

namespace {

struct calls_function final : weft::detail::block_runner {
    explicit calls_function(std::function<bool(std::size_t)> given) : call(std::move(given)) {}
    bool run(std::size_t place) override { return call(place); }
    std::function<bool(std::size_t)> call;
};

std::vector<weft::link> no_links(assignment const& where) {
    return std::vector<weft::link>(static_cast<std::size_t>(where.blocks_of(weft_test::rank())));
}

/// Without links, dealt round robin.
struct core_of_blocks {
    explicit core_of_blocks(std::int64_t blocks, int threads = 1)
        : where(assignment::round_robin(blocks, weft_test::size())),
          core(weft_test::world(), where, {no_links(where)}, threads, weft::termination_kind::counted_waves) {
    }
    [[nodiscard]] std::int64_t id(std::size_t place) { return index_of(core.local().at(place).id); }

    assignment where;
    block_core core;
};

std::string text_thrown_by(std::function<void()> const& call) {
    try {
        call();
    } catch (std::exception const& thrown) { return thrown.what(); }
    return "nothing";
}

} // namespace

TEST(block_core, bad_arguments_of_one_rank_are_errors_of_all) {
    int const ranks = weft_test::size();
    bool const here = weft_test::rank() == ranks - 1;
    assignment const good = assignment::contiguous(5, ranks);
    auto const make = [&](assignment const& where, std::vector<weft::link> links, int threads) {
        return text_thrown_by([&] {
            block_core(weft_test::world(), where, {std::move(links)}, threads,
                weft::termination_kind::counted_waves);
        });
    };
    EXPECT_NE(make(good, no_links(good), here ? 0 : 1).find("threads is 0"), std::string::npos);
    assignment const other = assignment::contiguous(5, ranks + 1);
    EXPECT_NE(make(here ? other : good, no_links(good), 1).find("assignment is for"), std::string::npos);
    std::vector<weft::link> links = no_links(good);
    if (here) links.emplace_back();
    EXPECT_NE(make(good, links, 1).find(" links"), std::string::npos);
    EXPECT_EQ(make(good, no_links(good), 2), "nothing");
}

TEST(block_core, every_block_runs_once_and_the_unfinished_are_counted) {
    for (int const threads : {1, 3}) {
        core_of_blocks set(13, threads);
        std::vector<std::atomic<int>> calls(set.core.local().size());
        calls_function runner([&](std::size_t place) {
            ++calls[place];
            return place % 2 == 0;
        });
        EXPECT_EQ(set.core.run_all(runner), static_cast<std::int64_t>(calls.size() / 2));
        for (auto const& each : calls) EXPECT_EQ(each, 1);
        EXPECT_EQ(set.core.exchange(static_cast<std::int64_t>(calls.size() / 2)),
            [&] { // over all ranks
                std::int64_t sum = 0;
                for (int rank = 0; rank < weft_test::size(); ++rank) sum += set.where.blocks_of(rank) / 2;
                return sum;
            }());
    }
}

TEST(block_core, the_error_of_the_first_block_of_a_rank_is_kept_until_all_agree) {
    for (int const threads : {1, 3}) {
        core_of_blocks set(9, threads);
        calls_function fails([&](std::size_t place) -> bool {
            throw weft::usage_error("block " + std::to_string(set.id(place)) + " fails");
        });
        calls_function nothing([](std::size_t) { return true; });
        (void)set.core.run_all(fails);
        (void)set.core.run_all(nothing);
        EXPECT_EQ(text_thrown_by([&] { set.core.agree(); }), "block 0 fails");
        set.core.agree(); // told once
        (void)set.core.run_all(fails);
        EXPECT_EQ(text_thrown_by([&] { (void)set.core.exchange(0); }), "block 0 fails");
        (void)set.core.run_all(fails);
        EXPECT_NE(text_thrown_by([&] { set.core.iexchange(nothing, {}); }).find("block 0 fails"),
            std::string::npos);
        EXPECT_EQ(set.core.exchange(0), 0);
        set.core.iexchange(nothing, {});
    }
}

TEST(block_core, messages_come_by_source_and_are_counted) {
    core_of_blocks set(6);
    calls_function sends([&](std::size_t place) {
        block_port<std::int64_t> port(set.core.local().at(place));
        for (std::int64_t to = 5; to >= 0; --to) {
            port.send(block_id{to}, set.id(place));
            port.give(block_id{to}, std::vector<std::int64_t>(1000, set.id(place)));
        }
        return true;
    });
    for (int round = 0; round < 3; ++round) {
        (void)set.core.run_all(sends);
        EXPECT_EQ(set.core.exchange(0), 6 * 6 * 2);
        calls_function takes([&](std::size_t place) {
            std::vector<std::int64_t> sources;
            block_port<std::int64_t> port(set.core.local().at(place));
            for (auto const& [source, items] : port.messages()) {
                EXPECT_EQ(items.back(), index_of(source));
                EXPECT_EQ(items.size(), sources.size() % 2 == 0 ? 1U : 1000U);
                sources.push_back(index_of(source));
            }
            EXPECT_EQ(sources, (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
            return true;
        });
        (void)set.core.run_all(takes);
    }
}

TEST(block_core, a_failed_exchange_loses_what_was_under_way_on_all_ranks) {
    core_of_blocks set(6);
    calls_function sends([&](std::size_t place) {
        block_port<std::int64_t> port(set.core.local().at(place));
        for (std::int64_t to = 0; to < 6; ++to) port.send(block_id{to}, 1);
        if (set.id(place) == 5) throw std::runtime_error("block 5 fails");
        return true;
    });
    (void)set.core.run_all(sends);
    EXPECT_NE(text_thrown_by([&] { (void)set.core.exchange(0); }).find("block 5 fails"), std::string::npos);
    EXPECT_EQ(set.core.exchange(0), 0);
    for (weft::detail::block_queues const& queues : set.core.local().all()) {
        EXPECT_TRUE(queues.in.empty());
        EXPECT_TRUE(queues.out.empty());
    }
}

TEST(block_core, without_blocks_all_is_quiet_at_once) {
    core_of_blocks set(0);
    calls_function never([](std::size_t) -> bool { throw std::logic_error("called"); });
    EXPECT_EQ(set.core.run_all(never), 0);
    EXPECT_EQ(set.core.exchange(0), 0);
    for (int again = 0; again < 3; ++again) set.core.iexchange(never, {});
    EXPECT_EQ(set.core.counters().callbacks, 0);
    core_of_blocks one(1); // of which most ranks have none
    int calls = 0;
    calls_function counts([&](std::size_t) { return ++calls >= 3; });
    one.core.iexchange(counts, {});
    EXPECT_EQ(calls, weft_test::rank() == 0 ? 3 : 0);
}

TEST(block_core, counters_tell_what_iexchange_did) {
    core_of_blocks set(static_cast<std::int64_t>(2 * weft_test::size()));
    calls_function sends([&](std::size_t place) {
        block_port<std::int64_t> port(set.core.local().at(place));
        if (set.core.counters().callbacks <= static_cast<std::int64_t>(set.core.local().size()))
            port.send(block_id{(set.id(place) + 1) % set.where.blocks()}, 7);
        for (std::int64_t const item : port.received()) EXPECT_EQ(item, 7);
        return true;
    });
    set.core.iexchange(sends, {});
    auto const counters = set.core.counters();
    EXPECT_EQ(counters.local_runs + counters.remote_runs, 2);
    EXPECT_GE(counters.callbacks, 2);
    EXPECT_LE(counters.callbacks, 4);
}
