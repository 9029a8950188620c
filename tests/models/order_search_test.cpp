/// The search for orders of arrival against the enumeration of all, on small programs that are drawn at
/// random.
#include <transport/order_search.hpp>

#include <core/counter_random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

using weft::arrival_order;
using weft::counter_random;
using weft::deviations;
using weft::order_search;

namespace {

constexpr int tags = 2;

struct toy_message {
    int from = 0;
    int to = 0;
    int tag = 0;
    int hops = 0;
    std::uint64_t name = 0; // of what its sender had seen, so equal in equal runs only
};

/// Ranks send what follows from all that they have seen, one by one or several at a look. Some handlers make
/// another rank leave a call; and when no message of a tag is on its way, all ranks leave a call.
class toy_ranks {
public:
    toy_ranks(std::uint64_t seed, int ranks, bool is_blamed)
        : seed_(seed),
          is_blamed_(is_blamed),
          seen_(static_cast<std::size_t>(ranks)),
          here_(static_cast<std::size_t>(ranks)) {
        for (int each = 0; each < size(); ++each) act(each, 2);
    }

    /// The messages that have been sent so far.
    [[nodiscard]] std::vector<toy_message> const& sent() const noexcept { return sent_; }
    [[nodiscard]] int size() const noexcept { return static_cast<int>(seen_.size()); }
    [[nodiscard]] int channel_of(toy_message const& of) const noexcept {
        return (of.from * size() + of.to) * tags + of.tag;
    }
    [[nodiscard]] bool has_mail(int rank) const { return !here_[static_cast<std::size_t>(rank)].empty(); }
    void arrive(std::size_t number) { here_[static_cast<std::size_t>(sent_[number].to)].push_back(number); }
    /// The rank sees all that is here; returns whether no other rank noticed.
    bool look(int rank) {
        bool alone = true;
        std::vector<std::size_t> const found = std::exchange(here_[static_cast<std::size_t>(rank)], {});
        int hops = 0;
        for (std::size_t const each : found) {
            toy_message const taken = sent_[each];
            see(rank, taken.name);
            hops = std::max(hops, taken.hops);
            if (counter_random(seed_, seen(rank))(0) % 8 != 0) continue;
            alone = is_blamed_;
            int const other = static_cast<int>(taken.name % seen_.size());
            see(other, taken.name + 1);
            act(other, 1);
        }
        see(rank, found.size()); // one look at two messages is not the same as two looks
        act(rank, hops);
        for (std::size_t const each : found) {
            int const tag = sent_[each].tag;
            if (--under_way_[static_cast<std::size_t>(tag)] > 0) continue;
            alone = is_blamed_;
            for (int one = 0; one < size(); ++one) {
                see(one, static_cast<std::uint64_t>(tag));
                if (++ends_ < 2 * size()) act(one, 1);
            }
        }
        return alone;
    }
    /// Returns the numbers that stand for the messages found by each rank.
    [[nodiscard]] std::string seen_by_all() const {
        std::string text;
        for (std::uint64_t const each : seen_) text += std::to_string(each) + ' ';
        return text;
    }
    /// Returns a text that is equal for equal states.
    [[nodiscard]] std::string state(std::vector<std::size_t> const& waiting) const {
        std::string text = seen_by_all() + std::to_string(ends_);
        std::vector<std::string> channels(static_cast<std::size_t>(size() * size() * tags));
        for (std::size_t const each : waiting)
            channels[static_cast<std::size_t>(channel_of(sent_[each]))] +=
                std::to_string(sent_[each].name) + ',';
        for (std::string const& each : channels) text += each + ';';
        for (std::vector<std::size_t> const& of_rank : here_) {
            for (std::size_t const each : of_rank) text += std::to_string(sent_[each].name) + ',';
            text += ';';
        }
        return text;
    }

private:
    std::uint64_t& seen(int rank) { return seen_[static_cast<std::size_t>(rank)]; }
    void see(int rank, std::uint64_t what) { seen(rank) = counter_random(seen(rank), what)(0); }
    void act(int rank, int hops) {
        counter_random const draws(seed_ + seen(rank), static_cast<std::uint64_t>(rank));
        std::uint64_t const count = hops == 2 ? draws(0) % 3 : draws(0) % 2;
        for (std::uint64_t each = 0; hops > 0 && each < count; ++each) {
            toy_message made;
            made.from = rank;
            made.to = static_cast<int>(draws(4 * each + 1) % seen_.size());
            made.tag = draws(4 * each + 2) % 4 == 0 ? 1 : 0;
            made.hops = hops - 1;
            made.name = draws(4 * each + 3);
            ++under_way_[static_cast<std::size_t>(made.tag)];
            sent_.push_back(made);
        }
    }

    std::uint64_t seed_;
    bool is_blamed_; // all looks are taken for such that only their ranks notice
    std::vector<std::uint64_t> seen_;
    std::vector<std::vector<std::size_t>> here_; // by rank: messages that it has not looked at
    std::vector<toy_message> sent_;
    std::array<int, tags> under_way_{};
    int ends_ = 0;
};

/// Returns what each rank has seen at the end; empty if the run is like another one.
std::string follow(toy_ranks ranks, arrival_order::plan const& plan, arrival_order::record& record) {
    std::array<char, 4 * 4 * tags> channels{};
    record.clear();
    arrival_order order(plan, record);
    deviations none(std::vector<weft::deviation>{});
    std::size_t passed_on = 0;
    bool alone = false;
    while (true) {
        for (; passed_on < ranks.sent().size(); ++passed_on) {
            toy_message const& made = ranks.sent()[passed_on];
            order.add({static_cast<std::int32_t>(passed_on), made.to, 0, made.tag},
                static_cast<std::uint32_t>(passed_on),
                &channels[static_cast<std::size_t>(ranks.channel_of(made))]);
        }
        if (order.empty()) return ranks.seen_by_all();
        if (order.last_receiver() >= 0) order.tell_of_last(alone);
        auto const next = order.take(none);
        if (!next) return {};
        ranks.arrive(next->subject);
        alone = next->joins || ranks.look(ranks.sent()[next->subject].to);
    }
}

/// All that can happen: any message that is first of its channel arrives, or a rank with mail looks.
class all_interleavings {
public:
    static constexpr std::size_t most_states = 20'000;

    explicit all_interleavings(toy_ranks const& begin) {
        std::vector<std::size_t> waiting(begin.sent().size());
        std::iota(waiting.begin(), waiting.end(), std::size_t{0});
        go_on(begin, waiting);
    }
    [[nodiscard]] bool is_complete() const noexcept { return states_.size() < most_states; }
    [[nodiscard]] std::set<std::string> const& outcomes() const noexcept { return outcomes_; }

private:
    void go_on(toy_ranks const& now, std::vector<std::size_t> const& waiting) {
        if (!is_complete() || !states_.insert(now.state(waiting)).second) return;
        bool is_over = true;
        std::set<int> channels;
        for (std::size_t const each : waiting) {
            if (!channels.insert(now.channel_of(now.sent()[each])).second) continue;
            is_over = false;
            toy_ranks next = now;
            next.arrive(each);
            std::vector<std::size_t> rest = waiting;
            std::erase(rest, each);
            go_on(next, rest);
        }
        for (int rank = 0; rank < now.size(); ++rank) {
            if (!now.has_mail(rank)) continue;
            is_over = false;
            toy_ranks next = now;
            (void)next.look(rank);
            std::vector<std::size_t> rest = waiting;
            for (std::size_t made = now.sent().size(); made < next.sent().size(); ++made)
                rest.push_back(made);
            go_on(next, rest);
        }
        if (is_over) outcomes_.insert(now.seen_by_all());
    }

    std::set<std::string> states_;
    std::set<std::string> outcomes_;
};

struct result {
    std::set<std::string> outcomes;
    std::int64_t orders = 0;
    std::int64_t runs = 0;
    bool is_complete = false;
};

toy_ranks ranks_of(std::uint64_t seed, bool is_blamed = false) {
    return {seed, 2 + static_cast<int>(seed % 3), is_blamed};
}

result search(std::uint64_t seed, order_search all, bool is_blamed = false) {
    constexpr std::int64_t most = 3'000;
    auto const record = std::make_unique<arrival_order::record>();
    result found;
    arrival_order::plan next;
    for (; found.runs < most; ++found.runs) {
        if (!all.next(next)) {
            found.is_complete = true;
            break;
        }
        std::string const end = follow(ranks_of(seed, is_blamed), next, *record);
        if (!end.empty()) found.outcomes.insert(end);
        if (!all.tell(*record)) break;
    }
    found.orders = all.orders();
    return found;
}

/// Compares what is left after the reduction with all orders.
void expect_every_outcome(bool may_join, double least_saving) {
    int compared = 0;
    int missed_if_blamed = 0;
    std::int64_t orders = 0;
    std::int64_t runs = 0;
    std::int64_t all = 0;
    std::int64_t outcomes = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        result const every = search(seed, order_search(false, may_join));
        if (!every.is_complete) continue;
        EXPECT_EQ(every.orders, every.runs);
        result const reduced = search(seed, order_search(true, may_join));
        EXPECT_TRUE(reduced.is_complete);
        EXPECT_EQ(reduced.outcomes, every.outcomes) << "program " << seed;
        EXPECT_LE(reduced.runs, every.runs);
        missed_if_blamed +=
            search(seed, order_search(true, may_join), true).outcomes == every.outcomes ? 0 : 1;
        ++compared;
        orders += reduced.orders;
        runs += reduced.runs;
        all += every.orders;
        outcomes += static_cast<std::int64_t>(every.outcomes.size());
    }
    std::printf("%d programs: %lld outcomes; of %lld orders %lld are run to the end in %lld runs\n", compared,
        static_cast<long long>(outcomes), static_cast<long long>(all), static_cast<long long>(orders),
        static_cast<long long>(runs));
    EXPECT_GT(compared, 80);
    EXPECT_GT(static_cast<double>(all), least_saving * static_cast<double>(runs));
    EXPECT_GT(missed_if_blamed, 0);
}

TEST(order_search, has_every_outcome_of_all_orders) {
    expect_every_outcome(false, 1.5);
}

TEST(order_search, has_every_outcome_of_all_orders_with_several_messages_at_one_look) {
    expect_every_outcome(true, 1.2);
}

TEST(order_search, has_every_outcome_of_all_interleavings_of_arrivals_and_looks) {
    int compared = 0;
    int need_joins = 0;
    std::size_t outcomes = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        all_interleavings const every(ranks_of(seed));
        result const joined = search(seed, order_search(true, true));
        if (!every.is_complete() || !joined.is_complete) continue;
        EXPECT_EQ(joined.outcomes, every.outcomes()) << "program " << seed;
        need_joins += search(seed, order_search(true, false)).outcomes == every.outcomes() ? 0 : 1;
        ++compared;
        outcomes += every.outcomes().size();
    }
    std::printf("%d programs: %zu outcomes; in %d of them some need several messages at one look\n", compared,
        outcomes, need_joins);
    EXPECT_GT(compared, 20);
    EXPECT_GT(need_joins, 10);
}

TEST(order_search, does_not_go_on_if_a_run_leaves_its_plan) {
    auto const record = std::make_unique<arrival_order::record>();
    for (std::uint64_t seed = 0;; ++seed) {
        order_search all;
        arrival_order::plan next;
        ASSERT_TRUE(all.next(next));
        (void)follow({seed, 3, false}, next, *record);
        ASSERT_TRUE(all.tell(*record));
        if (!all.next(next)) continue;
        next.first.back().message = -1;
        (void)follow({seed, 3, false}, next, *record);
        EXPECT_FALSE(all.tell(*record));
        return;
    }
}

} // namespace
