#include <weft/extend/core/epoch.hpp>

#include <weft/core/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using weft::epoch_lease;
using weft::epoch_ledger;

namespace {

bool may_open(epoch_ledger& ledger) {
    try {
        (void)ledger.open();
    } catch (weft::usage_error const&) { return false; }
    return true;
}

/// Some ranks that begin the same operations in one order and complete them in any order. An operation
/// completes on a rank only after all ranks have begun it; nothing else ties the ranks together.
class simulated_ranks {
public:
    simulated_ranks(int ranks, int window, unsigned seed)
        : window_(window), random_(seed), ledgers_(static_cast<std::size_t>(ranks), epoch_ledger(window)) {
        begun_.resize(ledgers_.size(), 0);
        open_.resize(ledgers_.size());
    }

    /// Runs until every rank has begun and completed `epochs`; false when nothing can move any more.
    bool run(std::int64_t epochs) {
        for (int idle = 0; idle < 100'000; ++idle) {
            auto const r = static_cast<std::size_t>(random_() % ledgers_.size());
            if (step(r, epochs)) idle = 0;
            if (std::ranges::all_of(begun_, [&](auto n) { return n == epochs; }) &&
                std::ranges::all_of(open_, [](auto const& set) { return set.empty(); }))
                return true;
        }
        return false;
    }

    std::int64_t reused_too_early = 0;
    int most_open = 0;

private:
    bool step(std::size_t r, std::int64_t epochs) {
        bool const prefers_to_open = random_() % 3 != 0;
        if (prefers_to_open && begun_[r] < epochs && room_for_one(r)) {
            begin(r);
            return true;
        }
        return complete_one(r);
    }

    /// The rule in the words of the header: no epoch begins while one window/2 or more older is open.
    bool room_for_one(std::size_t r) const {
        return open_[r].empty() || begun_[r] - *open_[r].begin() < window_ / 2;
    }

    void begin(std::size_t r) {
        std::int64_t const epoch = ledgers_[r].open();
        EXPECT_EQ(epoch, begun_[r]);
        int const place = ledgers_[r].place_of(epoch);
        for (std::size_t other = 0; other < open_.size(); ++other)
            for (std::int64_t const listening : open_[other])
                reused_too_early += listening != epoch && ledgers_[other].place_of(listening) == place;
        open_[r].insert(epoch);
        ++begun_[r];
        most_open = std::max(most_open, static_cast<int>(open_[r].size()));
    }

    bool complete_one(std::size_t r) {
        std::int64_t const begun_by_all = *std::ranges::min_element(begun_);
        std::vector<std::int64_t> candidates;
        for (std::int64_t const epoch : open_[r])
            if (epoch < begun_by_all) candidates.push_back(epoch);
        if (candidates.empty()) return false;
        std::int64_t const chosen = candidates[random_() % candidates.size()];
        ledgers_[r].close(chosen);
        open_[r].erase(chosen);
        EXPECT_EQ(ledgers_[r].open_count(), static_cast<int>(open_[r].size()));
        return true;
    }

    int window_;
    std::mt19937 random_;
    std::vector<epoch_ledger> ledgers_;
    std::vector<std::int64_t> begun_;
    std::vector<std::set<std::int64_t>> open_;
};

} // namespace

TEST(epoch_ledger, counts_epochs_in_the_order_of_opening) {
    epoch_ledger ledger(8);
    for (std::int64_t epoch = 0; epoch < 100; ++epoch) {
        EXPECT_EQ(ledger.open(), epoch);
        EXPECT_EQ(ledger.place_of(epoch), static_cast<int>(epoch % 8));
        ledger.close(epoch);
    }
    EXPECT_EQ(ledger.open_count(), 0);
}

TEST(epoch_ledger, opens_half_a_window_at_once_and_refuses_the_next) {
    for (int const window : {2, 3, 4, 5, 8, 100, 4096}) {
        epoch_ledger ledger(window);
        for (int i = 0; i < window / 2; ++i) EXPECT_TRUE(may_open(ledger)) << window;
        EXPECT_FALSE(may_open(ledger)) << window;
        EXPECT_EQ(ledger.open_count(), window / 2);
    }
}

TEST(epoch_ledger, a_refusal_changes_nothing) {
    epoch_ledger ledger(2);
    ASSERT_EQ(ledger.open(), 0);
    EXPECT_FALSE(may_open(ledger));
    EXPECT_FALSE(may_open(ledger));
    EXPECT_EQ(ledger.open_count(), 1);
    ledger.close(0);
    EXPECT_EQ(ledger.open(), 1);
}

TEST(epoch_ledger, counts_age_and_not_number_of_the_open_ones) {
    epoch_ledger ledger(8);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(may_open(ledger));
    ledger.close(1);
    ledger.close(2);
    ledger.close(3);
    EXPECT_FALSE(may_open(ledger)) << "epoch 0 is open, and four have begun since";
    ledger.close(0);
    EXPECT_EQ(ledger.open(), 4);
}

TEST(epoch_ledger, a_refusal_says_how_old_the_open_one_is_and_what_to_do) {
    epoch_ledger ledger(4);
    (void)ledger.open();
    (void)ledger.open();
    try {
        (void)ledger.open();
        ADD_FAILURE() << "nothing was thrown";
    } catch (weft::usage_error const& caught) {
        std::string const text = caught.what();
        EXPECT_NE(text.find("2 exchanges ago"), std::string::npos) << text;
        EXPECT_NE(text.find("limit is 2"), std::string::npos) << text;
        EXPECT_NE(text.find("WEFT_TAG_WINDOW"), std::string::npos) << text;
    }
}

TEST(epoch_ledger, no_place_is_used_again_while_any_rank_has_the_earlier_epoch_open) {
    for (int const window : {2, 3, 4, 6, 16})
        for (int const ranks : {1, 2, 3, 5, 8})
            for (unsigned seed = 0; seed < 8; ++seed) {
                simulated_ranks simulation(ranks, window, seed);
                ASSERT_TRUE(simulation.run(200)) << "stuck: window " << window << ", seed " << seed;
                ASSERT_EQ(simulation.reused_too_early, 0)
                    << "window " << window << ", " << ranks << " ranks, seed " << seed;
                EXPECT_LE(simulation.most_open, window / 2);
            }
}

TEST(epoch_lease, closes_its_epoch_when_it_goes) {
    epoch_ledger ledger(4);
    {
        epoch_lease const first(ledger);
        epoch_lease const second(ledger);
        EXPECT_EQ(first.epoch(), 0);
        EXPECT_EQ(second.epoch(), 1);
        EXPECT_EQ(ledger.open_count(), 2);
    }
    EXPECT_EQ(ledger.open_count(), 0);
}

TEST(epoch_lease, closes_once_when_it_is_moved) {
    epoch_ledger ledger(2);
    {
        epoch_lease first(ledger);
        epoch_lease const second(std::move(first));
        EXPECT_EQ(second.epoch(), 0);
        EXPECT_EQ(ledger.open_count(), 1);
    }
    EXPECT_EQ(ledger.open_count(), 0);
    EXPECT_TRUE(may_open(ledger));
}

TEST(epoch_lease, tags_of_different_places_and_purposes_differ_and_repeat_after_a_window) {
    constexpr int window = 6;
    epoch_ledger ledger(window);
    std::set<int> used;
    std::vector<int> data;
    for (int i = 0; i < 2 * window; ++i) {
        epoch_lease const lease(ledger);
        used.insert(lease.tags().data);
        used.insert(lease.tags().control);
        used.insert(lease.tags().bulk);
        used.insert(lease.tags().local);
        data.push_back(lease.tags().data);
    }
    EXPECT_EQ(used.size(), 4u * window);
    EXPECT_LT(*used.rbegin(), 4 * window);
    for (int i = 0; i < window; ++i)
        EXPECT_EQ(data[static_cast<std::size_t>(i)], data[static_cast<std::size_t>(i + window)]);
}

TEST(epoch_lease, the_largest_window_ends_below_the_tags_of_long_operations) {
    EXPECT_LE(4096 * weft::epoch_tags::count, weft::tag_pool::first);
    EXPECT_LE(weft::tag_pool::last, 32767); // what MPI promises at least
}

TEST(tag_pool, proposes_what_is_free_from_a_tag_on) {
    weft::tag_pool pool;
    constexpr int first = weft::tag_pool::first;
    EXPECT_EQ(pool.propose(first), first);
    pool.take(first);
    pool.take(first + 2);
    EXPECT_EQ(pool.propose(first), first + 1);
    EXPECT_EQ(pool.propose(first + 2), first + 3);
    pool.give_back(first);
    EXPECT_EQ(pool.propose(first), first);
}

TEST(tag_pool, has_an_end) {
    weft::tag_pool pool;
    pool.take(weft::tag_pool::last);
    EXPECT_EQ(pool.propose(weft::tag_pool::last), -1);
    EXPECT_EQ(pool.propose(weft::tag_pool::last - 1), weft::tag_pool::last - 1);
}
