#include <collective/scan_engine.hpp>

#include "merges.hpp"

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>
#include <harness/mpi_test.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

using weft::scan_engine;

namespace {

/// Each participant on some rank; some ranks may have none.
std::vector<int> scattered(std::int64_t participants, int ranks, std::mt19937_64& random) {
    std::vector<int> rank_of;
    for (std::int64_t id = 0; id < participants; ++id)
        rank_of.push_back(static_cast<int>(random() % static_cast<std::uint64_t>(ranks)));
    return rank_of;
}

struct all_scans {
    all_scans(weft_test::memory_network& on, std::vector<int> const& rank_of, std::string const& poison) {
        auto const n = static_cast<std::int64_t>(rank_of.size());
        for (int rank = 0; rank < on.size(); ++rank) {
            weft::participants who;
            who.rank_of = [rank_of](std::int64_t id) { return rank_of.at(static_cast<std::size_t>(id)); };
            values.push_back(std::make_unique<weft_test::merged_texts>(poison));
            for (std::int64_t id = 0; id < n; ++id)
                if (who.rank_of(id) == rank) {
                    who.mine.push_back(id);
                    values.back()->add(weft_test::text_of_participant(id));
                }
            engines.push_back(std::make_unique<scan_engine>(on.at(rank), 1, who, n, *values.back()));
            ids.push_back(who.mine);
        }
    }
    [[nodiscard]] std::map<std::int64_t, std::string> results() const {
        std::map<std::int64_t, std::string> found;
        for (std::size_t rank = 0; rank < engines.size(); ++rank) {
            auto const numbers = engines[rank]->results();
            for (std::size_t place = 0; place < numbers.size(); ++place)
                found[ids[rank][place]] = values[rank]->at(numbers[place]);
            EXPECT_EQ(engines[rank]->thrown(), nullptr);
        }
        return found;
    }
    std::vector<std::unique_ptr<weft_test::merged_texts>> values;
    std::vector<std::unique_ptr<scan_engine>> engines;
    std::vector<std::vector<std::int64_t>> ids;
};

/// The rounds written down in the plainest way, with their brackets.
std::map<std::int64_t, std::string> scanned_plainly(std::int64_t n) {
    std::map<std::int64_t, std::string> now;
    for (std::int64_t id = 0; id < n; ++id) now[id] = weft_test::text_of_participant(id);
    for (std::int64_t distance = 1; distance < n; distance *= 2) {
        auto next = now;
        for (std::int64_t id = distance; id < n; ++id) {
            next[id] = "(";
            next[id] += now[id - distance];
            next[id] += now[id];
            next[id] += ")";
        }
        now = std::move(next);
    }
    return now;
}

} // namespace

TEST(scan_engine, each_participant_has_those_up_to_it_in_order) {
    weft_test::for_seeds(500, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 6);
        auto const n = static_cast<std::int64_t>(random() % 40);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        // Twice with one tag: a rank that is ahead must not disturb those behind it.
        all_scans first(network, scattered(n, ranks, random), "nothing");
        all_scans second(network, scattered(n, ranks, random), "nothing");
        std::vector<bool> ahead(static_cast<std::size_t>(ranks));
        weft_test::schedule(network, choices).run([&](int rank) {
            auto const r = static_cast<std::size_t>(rank);
            if (ahead[r]) return second.engines[r]->step();
            weft::progress const now = first.engines[r]->step();
            ahead[r] = now == weft::progress::done;
            return ahead[r] ? weft::progress::some : now;
        });
        auto const expected = scanned_plainly(n);
        EXPECT_EQ(first.results(), expected);
        EXPECT_EQ(second.results(), expected);
        for (auto const& [id, text] : expected) { // the brackets aside, the first ones in their order
            std::string letters = text;
            std::erase_if(letters, [](char c) { return c == '(' || c == ')'; });
            std::string in_order;
            for (std::int64_t each = 0; each <= id; ++each) in_order += weft_test::text_of_participant(each);
            EXPECT_EQ(letters, in_order);
        }
        EXPECT_EQ(network.left_over(), "");
    });
}

TEST(scan_engine, messages_go_on_after_an_error) {
    weft_test::for_seeds(200, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 2 + static_cast<int>(random() % 8);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        std::vector<int> rank_of;
        for (int rank = 0; rank < ranks; ++rank) rank_of.push_back(rank);
        // Rank 1 fails in its first pair.
        all_scans scans(network, rank_of, weft_test::text_of_participant(1));
        weft_test::schedule(network, choices).run([&](int rank) {
            return scans.engines[static_cast<std::size_t>(rank)]->step();
        });
        EXPECT_EQ(scans.engines[0]->thrown(), nullptr);
        EXPECT_NE(scans.engines[1]->thrown(), nullptr);
        EXPECT_EQ(network.left_over(), "");
    });
}
