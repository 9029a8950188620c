#include <collective/merge_engine.hpp>

#include "late_combinations.hpp"
#include "merges.hpp"

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>
#include <harness/mpi_test.hpp>

#include <weft/detail/collective/merged_values.hpp>
#include <weft/extend/transport/mpi_transport.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <random>

using weft::merge_engine;
using weft::merge_schedule;
using weft_test::merged_texts;

namespace {

/// All ranks of a merge.
struct all_ranks {
    all_ranks(weft_test::memory_network& on, weft::schedule const& rounds, std::vector<int> const& rank_of,
        std::string const& poison = "nothing")
        : network(on) {
        for (int rank = 0; rank < on.size(); ++rank) {
            weft::participants who{
                {}, [&](std::int64_t id) { return rank_of[static_cast<std::size_t>(id)]; }};
            values.push_back(std::make_unique<merged_texts>(poison));
            for (std::int64_t id = 0; id < rounds.participants(); ++id)
                if (who.rank_of(id) == rank) {
                    who.mine.push_back(id);
                    values.back()->add(weft_test::text_of_participant(id));
                }
            engines.push_back(std::make_unique<merge_engine>(on.at(rank), 1, rounds, who, *values.back()));
            mine.push_back(who.mine);
        }
    }

    void combine_late(weft_test::chooser& choices) {
        for (auto const& each : engines)
            each->combine_by(*late.emplace_back(std::make_unique<weft_test::late_combinations>(choices)));
    }

    [[nodiscard]] std::map<std::int64_t, std::string> results() const {
        std::map<std::int64_t, std::string> found;
        for (std::size_t rank = 0; rank < engines.size(); ++rank)
            for (auto const& [place, value] : engines[rank]->results())
                found[mine[rank].at(place)] = values[rank]->at(value);
        return found;
    }

    weft_test::memory_network& network;
    std::vector<std::unique_ptr<merged_texts>> values;
    std::vector<std::unique_ptr<merge_engine>> engines;
    std::vector<std::unique_ptr<weft_test::late_combinations>> late;
    std::vector<std::vector<std::int64_t>> mine;
};

std::vector<int> dealt(std::int64_t participants, int ranks, std::mt19937_64& random) {
    std::vector<int> rank_of(static_cast<std::size_t>(participants));
    for (int& each : rank_of) each = static_cast<int>(random() % static_cast<unsigned>(ranks));
    if (random() % 2 == 0) std::ranges::sort(rank_of);
    return rank_of;
}

} // namespace

TEST(merge_engine, combines_as_the_schedule_says_wherever_participants_are) {
    weft_test::for_seeds(1000, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 6);
        auto const n = 1 + static_cast<std::int64_t>(random() % 40);
        std::vector<int> ks;
        for (std::size_t rounds = random() % 6; ks.size() < rounds;)
            ks.push_back(2 + static_cast<int>(random() % 7));
        auto const root = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
        auto const rounds = merge_schedule(n, ks, {.root = root});
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        // Twice with one tag: a rank that is ahead must not disturb those behind it.
        all_ranks first(network, rounds, dealt(n, ranks, random));
        all_ranks second(network, rounds, dealt(n, ranks, random));
        second.combine_late(choices);
        std::vector<bool> ahead(static_cast<std::size_t>(ranks));
        weft_test::schedule(network, choices).run([&](int rank) {
            auto const r = static_cast<std::size_t>(rank);
            if (!ahead[r]) {
                weft::progress const now = first.engines[r]->step();
                ahead[r] = now == weft::progress::done;
                return ahead[r] ? weft::progress::some : now;
            }
            return second.engines[r]->step();
        });
        EXPECT_EQ(first.results(), weft_test::merged_plainly(rounds));
        EXPECT_EQ(second.results(), weft_test::merged_plainly(rounds));
        auto const combined = [](auto const& each) { return each->run() > 0; };
        EXPECT_EQ(std::ranges::any_of(second.late, combined), rounds.rounds() > 0 && n > 1);
        EXPECT_EQ(network.left_over(), "");
    });
}

TEST(merge_engine, all_choices_of_small_cases) {
    for (int const n : {2, 3, 4}) {
        std::vector<int> rank_of;
        for (int id = 0; id < n; ++id) rank_of.push_back(id);
        weft_test::for_choices({.depth = 12, .stretches = 3, .most = 300}, [&](weft_test::chooser& choices) {
            weft_test::memory_network network(n, choices, {});
            all_ranks merge(network, merge_schedule(n, 2), rank_of);
            weft_test::schedule(network, choices).run([&](int rank) {
                return merge.engines[static_cast<std::size_t>(rank)]->step();
            });
            EXPECT_EQ(merge.results(), weft_test::merged_plainly(merge_schedule(n, 2)));
        });
    }
}

TEST(merge_engine, bits_do_not_depend_on_a_k_that_is_a_power_of_two) {
    for (std::int64_t const n : {1, 2, 7, 44, 56, 189})
        for (int const k : {4, 8, 16})
            EXPECT_EQ(weft_test::merged_plainly(merge_schedule(n, k)),
                weft_test::merged_plainly(merge_schedule(n, 2)));
}

TEST(merge_engine, the_root_hears_of_the_lowest_rank_that_failed) {
    weft_test::for_seeds(300, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 6);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        std::vector<int> rank_of;
        for (int id = 0; id < 2 * ranks; ++id) rank_of.push_back(id / 2);
        auto const rounds = merge_schedule(2 * ranks, 4);
        // Odd participants cannot be combined: each rank fails in its own first pair.
        auto const victim = static_cast<int>(random() % static_cast<unsigned>(ranks));
        all_ranks merge(network, rounds, rank_of, weft_test::text_of_participant(2 * victim + 1));
        if (random() % 2 == 0) merge.combine_late(choices);
        weft_test::schedule(network, choices).run([&](int rank) {
            return merge.engines[static_cast<std::size_t>(rank)]->step();
        });
        EXPECT_GE(merge.engines.front()->lowest_failed(), 0);
        int threw = 0;
        for (auto const& each : merge.engines) threw += each->thrown() != nullptr ? 1 : 0;
        EXPECT_EQ(threw, 1);
        EXPECT_EQ(network.left_over(), "");
    });
}

TEST(merge_engine, needs_a_keeper) {
    merged_texts values;
    EXPECT_THROW(merge_engine(weft::transport_of(weft_test::world()), 1, weft::swap_schedule(2, 2),
                     weft::participants::ranks(0), values),
        weft::usage_error);
}

TEST(merged_values, are_written_read_and_combined_by_number) {
    weft_test::merged_texts texts;
    weft::detail::merged_values& values = texts;
    texts.add("a");
    weft::buffer bytes;
    values.write(0, bytes);
    std::size_t const copy = values.read(bytes.bytes());
    values.combine(copy, 0);
    EXPECT_EQ(texts.at(copy), "(aa)");
}
