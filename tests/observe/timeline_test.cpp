#include <weft/observe/timeline.hpp>

#include <weft/core/communicator.hpp>

#include <harness/mpi_test.hpp>

#include <chrono>
#include <map>
#include <numeric>
#include <random>
#include <vector>

using weft::span_kind;
using weft::timeline;
using weft::timeline_segment;
using weft_test::world;

namespace {

std::array<std::int64_t, weft::span_kinds> lengths(
    std::span<timeline_segment const> segments, std::int64_t end) {
    std::array<std::int64_t, weft::span_kinds> result = {};
    for (std::size_t i = 0; i < segments.size(); ++i)
        result[static_cast<std::size_t>(segments[i].state.kind)] +=
            (i + 1 < segments.size() ? segments[i + 1].begin : end) - segments[i].begin;
    return result;
}

std::int64_t things(std::span<timeline_segment const> segments) {
    return std::accumulate(segments.begin(), segments.end(), std::int64_t{0},
        [](std::int64_t sum, timeline_segment const& each) { return sum + each.state.more + 1; });
}

void spend(double seconds) {
    auto const until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < until) {}
}

} // namespace

TEST(coarsen, keeps_the_time_of_each_kind_and_what_is_long) {
    for (int turn = 0; turn < 200; ++turn) {
        auto random = weft_test::random(static_cast<std::uint64_t>(turn));
        std::vector<timeline_segment> segments;
        std::int64_t at = static_cast<std::int64_t>(random() % 1000);
        for (std::uint64_t count = random() % 60; count > 0; --count) {
            segments.push_back(
                {at, {static_cast<span_kind>(random() % 4), 0, "x", static_cast<std::int64_t>(at)}});
            at += 1 + static_cast<std::int64_t>(random() % 4 == 0 ? random() % 1000 : random() % 20);
        }
        std::int64_t const at_most = 1 + static_cast<std::int64_t>(random() % 300);
        std::vector<timeline_segment> drawn = segments;
        drawn.resize(weft::coarsen(drawn, at, at_most));
        ASSERT_EQ(lengths(drawn, at), lengths(segments, at));
        ASSERT_EQ(things(drawn), static_cast<std::int64_t>(segments.size()));
        ASSERT_LE(drawn.size(), segments.size());
        std::map<std::int64_t, timeline_segment> by_begin;
        for (timeline_segment const& each : drawn) by_begin[each.begin] = each;
        ASSERT_EQ(by_begin.size(), drawn.size()) << "all of them have a length";
        for (std::size_t i = 0; i < segments.size(); ++i) {
            std::int64_t const end = i + 1 < segments.size() ? segments[i + 1].begin : at;
            if (end - segments[i].begin < at_most) continue;
            ASSERT_TRUE(by_begin.contains(segments[i].begin));
            ASSERT_EQ(by_begin[segments[i].begin].state, segments[i].state);
        }
    }
}

TEST(coarsen, of_the_whole_leaves_a_piece_a_kind) {
    std::vector<timeline_segment> segments;
    for (int i = 0; i < 1000; ++i) segments.push_back({i, {static_cast<span_kind>(i % 3), 0, "x", i}});
    EXPECT_EQ(weft::coarsen(segments, 1000, 1001), 3U);
}

TEST(timeline, is_one_for_a_communicator_and_all_that_is_split_from_it_and_off_at_first) {
    weft::communicator const part = world().split(world().rank() % 2);
    EXPECT_EQ(&weft::timeline_of(part), &weft::timeline_of(world()));
    EXPECT_FALSE(weft::timeline_of(world()).on());
}

TEST(timeline, the_innermost_state_counts_at_any_time) {
    timeline lane;
    lane.start(100);
    auto const outer = lane.switch_to({span_kind::wait, 0, "outer", 1});
    auto const inner = lane.switch_to({span_kind::compute, 0, "inner", 2});
    spend(1e-4);
    lane.switch_to(inner);
    lane.switch_to(outer);
    lane.stop();
    ASSERT_EQ(lane.segments().size(), 5U);
    std::vector<std::string> names;
    for (auto const& each : lane.segments()) names.emplace_back(each.state.name);
    EXPECT_EQ(names, (std::vector<std::string>{"user code", "outer", "inner", "outer", "user code"}));
    EXPECT_EQ(lane.segments()[2].state.number, 2);
    EXPECT_EQ(lengths(lane.segments(), lane.ended()), lane.totals());
    double const inside =
        lane.seconds_of(lane.segments()[3].begin) - lane.seconds_of(lane.segments()[2].begin);
    EXPECT_GT(inside, 0.9e-4);
    EXPECT_EQ(std::accumulate(lane.totals().begin(), lane.totals().end(), std::int64_t{0}),
        lane.ended() - lane.began());
}

TEST(timeline, a_full_one_keeps_the_whole_run_and_its_sums) {
    timeline lane;
    lane.start(128);
    for (int i = 0; i < 10'000; ++i) lane.switch_to({static_cast<span_kind>(i % 4), 0, "x", i});
    lane.switch_to({span_kind::wait, 0, "long", -1});
    spend(2e-3);
    for (int i = 0; i < 10'000; ++i) lane.switch_to({static_cast<span_kind>(i % 4), 0, "x", i});
    lane.stop();
    EXPECT_LE(lane.segments().size(), 128U);
    EXPECT_GT(lane.resolution(), 0);
    EXPECT_EQ(lane.segments().front().begin, lane.began());
    EXPECT_EQ(lengths(lane.segments(), lane.ended()), lane.totals());
    std::int64_t const waited = lane.totals()[static_cast<std::size_t>(span_kind::wait)];
    EXPECT_GE(lane.seconds_of(lane.began() + waited) - lane.seconds_of(lane.began()), 1.9e-3);
}

TEST(timeline, long_callbacks_are_apart_and_short_ones_bundled) {
    timeline lane;
    lane.start(10'000);
    auto const before = lane.enter("iexchange");
    for (int i = 0; i < 5; ++i) {
        lane.begin_callback("block", i);
        spend(1e-5);
        lane.end_callback();
    }
    lane.leave(before);
    std::size_t alone = 0;
    for (auto const& each : lane.segments())
        alone += each.state.kind == span_kind::compute && each.state.number >= 0;
    EXPECT_EQ(alone, 5U);

    lane.start(10'000);
    auto const again = lane.enter("iexchange");
    for (int i = 0; i < 1000; ++i) {
        lane.begin_callback("block", i);
        lane.end_callback();
    }
    lane.leave(again);
    lane.stop();
    std::int64_t callbacks = 0;
    for (auto const& each : lane.segments())
        if (each.state.number >= 0) callbacks += each.state.more + 1;
    EXPECT_EQ(callbacks, 1000);
    EXPECT_LT(lane.segments().size(), 500U);
    EXPECT_EQ(lengths(lane.segments(), lane.ended()), lane.totals());
}

TEST(timeline, callbacks_inside_of_callbacks_are_part_of_them) {
    timeline lane;
    lane.start(1000);
    lane.begin_callback("outer", 1);
    lane.begin_callback("inner", 2);
    spend(1e-5);
    lane.end_callback();
    spend(1e-5);
    lane.end_callback();
    lane.stop();
    std::vector<std::int64_t> numbers;
    for (auto const& each : lane.segments()) numbers.push_back(each.state.number);
    EXPECT_EQ(numbers, (std::vector<std::int64_t>{-1, 1, -1}));
}

TEST(timeline, operations_count_by_name_and_only_the_outermost) {
    timeline lane;
    lane.start(1000);
    for (char const* const name : {"a", "b", "a"}) {
        auto const outer = lane.enter(name);
        auto const inner = lane.enter("inner");
        lane.leave(inner);
        lane.leave(outer);
    }
    lane.stop();
    ASSERT_EQ(lane.operations().size(), 3U);
    EXPECT_EQ(lane.operations()[2].ordinal, 1);
    EXPECT_STREQ(lane.operations()[1].name, "b");
    EXPECT_EQ(lane.operations()[1].ordinal, 0);
}

TEST(timeline, of_very_many_operations_every_so_many_are_kept) {
    timeline lane;
    lane.start(1000);
    constexpr std::int64_t count = 100'000;
    for (std::int64_t i = 0; i < count; ++i) lane.leave(lane.enter("exchange"));
    lane.stop();
    EXPECT_GT(lane.stride(), 1);
    auto const kept = lane.operations();
    for (std::size_t i = 0; i < kept.size(); ++i)
        ASSERT_EQ(kept[i].ordinal, static_cast<std::int64_t>(i) * lane.stride());
    EXPECT_GT(kept.back().ordinal + lane.stride(), count - lane.stride());
}

TEST(timeline, messages_beyond_the_room_are_counted) {
    timeline lane;
    lane.start(400);
    for (int i = 0; i < 150; ++i) lane.message(true, 1, 2, 3);
    lane.stop();
    EXPECT_EQ(lane.messages().size(), 100U);
    EXPECT_EQ(lane.lost(), 50);
}

TEST(timeline_span, names_its_scope_and_is_nothing_while_off) {
    timeline& lane = weft::timeline_of(world());
    { weft::timeline_span const nothing{world(), span_kind::compute, "unseen"}; }
    lane.start(100);
    {
        weft::timeline_span const here{world(), span_kind::compute, "seen", 7};
        spend(1e-6);
    }
    lane.stop();
    std::vector<std::int64_t> numbers;
    for (auto const& each : lane.segments()) numbers.push_back(each.state.number);
    EXPECT_EQ(numbers, (std::vector<std::int64_t>{-1, 7, -1}));
}
