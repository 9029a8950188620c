/// The search for orders of arrival against the enumeration of all, on small programs that are drawn at
/// random.
#include <transport/order_search.hpp>

#include <core/counter_random.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

using weft::arrival_order;
using weft::counter_random;
using weft::deviations;
using weft::order_search;

namespace {

constexpr int tags = 2;

struct toy_message {
    int to = 0;
    int tag = 0;
    int hops = 0;
    std::uint64_t name = 0; // of what its sender had seen, so equal in equal runs only
};

/// Ranks send what follows from all that they have seen. Some handlers make another rank leave a call; and
/// when no message of a tag is on its way, all ranks leave a call.
class toy_run {
public:
    toy_run(std::uint64_t seed, int ranks, bool is_blamed)
        : seed_(seed), is_blamed_(is_blamed), seen_(static_cast<std::size_t>(ranks)) {}

    /// Returns what each rank has seen at the end; empty if the run is like another one.
    std::string follow(arrival_order::plan const& plan, arrival_order::record& record) {
        record.clear();
        arrival_order order(plan, record);
        deviations none(std::vector<weft::deviation>{});
        for (int each = 0; each < size(); ++each) act(order, each, 2);
        while (!order.empty()) {
            if (order.last_receiver() >= 0) order.tell_of_last(alone_);
            auto const next = order.take(none);
            if (!next) return {};
            arrive(order, sent_[*next]);
        }
        std::string text;
        for (std::uint64_t const each : seen_) text += std::to_string(each) + ' ';
        return text;
    }

private:
    [[nodiscard]] int size() const noexcept { return static_cast<int>(seen_.size()); }
    std::uint64_t& seen(int rank) { return seen_[static_cast<std::size_t>(rank)]; }
    void see(int rank, std::uint64_t what) { seen(rank) = counter_random(seen(rank), what)(0); }

    void act(arrival_order& order, int rank, int hops) {
        counter_random const draws(seed_ + seen(rank), static_cast<std::uint64_t>(rank));
        std::uint64_t const count = hops == 2 ? draws(0) % 3 : draws(0) % 2;
        for (std::uint64_t each = 0; hops > 0 && each < count; ++each) {
            toy_message made;
            made.to = static_cast<int>(draws(4 * each + 1) % seen_.size());
            made.tag = draws(4 * each + 2) % 4 == 0 ? 1 : 0;
            made.hops = hops - 1;
            made.name = draws(4 * each + 3);
            auto const number = static_cast<std::uint32_t>(sent_.size());
            auto const channel = static_cast<std::size_t>((rank * size() + made.to) * tags + made.tag);
            ++under_way_[static_cast<std::size_t>(made.tag)];
            order.add({static_cast<std::int32_t>(number), made.to, 0, made.tag}, number, &channels_[channel]);
            sent_.push_back(made);
        }
    }
    void arrive(arrival_order& order, toy_message const taken) {
        alone_ = true;
        see(taken.to, taken.name);
        if (counter_random(seed_, seen(taken.to))(0) % 8 == 0) {
            alone_ = is_blamed_;
            int const other = static_cast<int>(taken.name % seen_.size());
            see(other, taken.name + 1);
            act(order, other, 1);
        }
        act(order, taken.to, taken.hops);
        if (--under_way_[static_cast<std::size_t>(taken.tag)] > 0) return;
        alone_ = is_blamed_;
        for (int each = 0; each < size(); ++each) {
            see(each, static_cast<std::uint64_t>(taken.tag));
            if (++ends_ < 2 * size()) act(order, each, 1);
        }
    }

    std::uint64_t seed_;
    bool is_blamed_; // all arrivals are taken for such that only their receivers notice
    std::vector<std::uint64_t> seen_;
    std::vector<toy_message> sent_;
    std::array<char, 4 * 4 * tags> channels_{};
    std::array<int, tags> under_way_{};
    int ends_ = 0;
    bool alone_ = false;
};

struct result {
    std::set<std::string> outcomes;
    std::int64_t orders = 0;
    std::int64_t runs = 0;
    bool is_complete = false;
};

result search(std::uint64_t seed, bool reduces, bool is_blamed = false) {
    constexpr std::int64_t most = 1'500;
    auto const record = std::make_unique<arrival_order::record>();
    result found;
    order_search all(reduces);
    arrival_order::plan next;
    for (; found.runs < most; ++found.runs) {
        if (!all.next(next)) {
            found.is_complete = true;
            break;
        }
        std::string const end =
            toy_run(seed, 2 + static_cast<int>(seed % 3), is_blamed).follow(next, *record);
        if (!end.empty()) found.outcomes.insert(end);
        if (!all.tell(*record)) break;
    }
    found.orders = all.orders();
    return found;
}

TEST(order_search, has_every_outcome_of_all_orders) {
    int compared = 0;
    int missed_if_blamed = 0;
    std::int64_t orders = 0;
    std::int64_t runs = 0;
    std::int64_t all = 0;
    std::int64_t outcomes = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        result const every = search(seed, false);
        if (!every.is_complete) continue;
        EXPECT_EQ(every.orders, every.runs);
        result const reduced = search(seed, true);
        EXPECT_TRUE(reduced.is_complete);
        EXPECT_EQ(reduced.outcomes, every.outcomes) << "program " << seed;
        EXPECT_LE(reduced.runs, every.runs);
        missed_if_blamed += search(seed, true, true).outcomes == every.outcomes ? 0 : 1;
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
    EXPECT_GT(2 * all, 3 * runs);
    EXPECT_GT(missed_if_blamed, 0);
}

TEST(order_search, does_not_go_on_if_a_run_leaves_its_plan) {
    auto const record = std::make_unique<arrival_order::record>();
    for (std::uint64_t seed = 0;; ++seed) {
        order_search all;
        arrival_order::plan next;
        ASSERT_TRUE(all.next(next));
        (void)toy_run(seed, 3, false).follow(next, *record);
        ASSERT_TRUE(all.tell(*record));
        if (!all.next(next)) continue;
        next.first.back() = -1;
        (void)toy_run(seed, 3, false).follow(next, *record);
        EXPECT_FALSE(all.tell(*record));
        return;
    }
}

} // namespace
