/// Arrays combined and spread under an adversary.
#include "array_calls.hpp"
#include "late_combinations.hpp"

#include "collective/array_reduction.hpp"
#include "collective/array_spread.hpp"

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>
#include <harness/mpi_test.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <vector>

using weft::array_call;
using weft::array_reduction;
using weft::array_spread;
using weft::element_range;
using weft_test::bracketed;

namespace {

/// A merge or a swap of random groups.
weft::regular_schedule drawn_schedule(std::int64_t n, std::mt19937_64& random) {
    int const k = 2 + static_cast<int>(random() % 7);
    auto const groups = random() % 4 == 0 ? weft::grouping::strided : weft::grouping::contiguous;
    std::vector<int> ks = weft::group_sizes(n, k);
    if (random() % 4 == 0) ks.resize(random() % (ks.size() + 1)); // partial
    if (random() % 2 == 0) return weft::swap_schedule(n, ks, {.groups = groups});
    auto const root = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    if (random() % 2 == 0) return weft::merge_schedule(n, k, {.root = root});
    return weft::merge_schedule(n, ks, {.groups = groups, .root = root});
}

struct world_of_arrays {
    world_of_arrays(int ranks, weft::schedule const& schedule, std::size_t elements, std::mt19937_64& random)
        : rounds(schedule), length(elements), calls(static_cast<std::size_t>(ranks)) {
        auto const n = static_cast<std::size_t>(schedule.participants());
        std::vector<int> rank_of(n);
        for (int& each : rank_of) each = static_cast<int>(random() % static_cast<unsigned>(ranks));
        if (random() % 2 == 0) std::ranges::sort(rank_of);
        segment_bytes = sizeof(bracketed) * (1 + random() % 5);
        arrays.resize(n, std::vector<bracketed>(elements));
        for (std::size_t id = 0; id < n; ++id) fill(id);
        for (int rank = 0; rank < ranks; ++rank) {
            of_rank& mine = calls[static_cast<std::size_t>(rank)];
            mine.who.rank_of = [rank_of](std::int64_t id) { return rank_of[static_cast<std::size_t>(id)]; };
            for (std::size_t id = 0; id < n; ++id)
                if (rank_of[id] == rank) {
                    mine.who.mine.push_back(static_cast<std::int64_t>(id));
                    mine.arrays.push_back(reinterpret_cast<std::byte*>(arrays[id].data()));
                }
        }
    }

    void fill(std::size_t id) {
        for (std::size_t i = 0; i < length; ++i)
            arrays[id][i] = bracketed::of(static_cast<std::int64_t>(id), i);
    }
    [[nodiscard]] array_call call(int rank) const {
        of_rank const& mine = calls[static_cast<std::size_t>(rank)];
        return {rounds, mine.who, mine.arrays, length, sizeof(bracketed), segment_bytes};
    }

    struct of_rank {
        weft::participants who;
        std::vector<std::byte*> arrays;
    };
    weft::schedule const& rounds;
    std::size_t length;
    std::size_t segment_bytes;
    std::vector<std::vector<bracketed>> arrays;
    std::vector<of_rank> calls;
};

} // namespace

TEST(array_engines, combine_in_order_and_spread_what_is_kept) {
    weft_test::for_seeds(1500, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 5);
        auto const n = 1 + static_cast<std::int64_t>(random() % 20);
        std::size_t const elements = random() % 60;
        auto const rounds = drawn_schedule(n, random);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        world_of_arrays all(ranks, rounds, elements, random);
        weft_test::bracketing join;
        // A rank goes on to spread while others still combine, as in an all-reduce; then all once more.
        std::vector<bool> spreads(static_cast<std::size_t>(ranks));
        std::vector<bool> again(static_cast<std::size_t>(ranks));
        std::vector<std::unique_ptr<array_reduction>> up;
        std::vector<std::unique_ptr<array_spread>> down(static_cast<std::size_t>(ranks));
        std::vector<std::vector<bracketed>> kept(static_cast<std::size_t>(n));
        std::vector<std::unique_ptr<weft_test::late_combinations>> late;
        bool const combines_late = random() % 2 == 0;
        for (int rank = 0; rank < ranks; ++rank) {
            up.push_back(std::make_unique<array_reduction>(network.at(rank), 1, all.call(rank), join));
            late.push_back(std::make_unique<weft_test::late_combinations>(choices));
            if (combines_late) up.back()->combine_by(*late.back());
        }
        weft_test::schedule(network, choices).run([&](int rank) {
            auto const r = static_cast<std::size_t>(rank);
            if (!spreads[r]) {
                weft::progress const now = up[r]->step();
                if (now != weft::progress::done) return now;
                for (std::int64_t const id : all.calls[r].who.mine) {
                    element_range const mine = weft::kept_elements(rounds, id, elements);
                    auto const& array = all.arrays[static_cast<std::size_t>(id)];
                    kept[static_cast<std::size_t>(id)].assign(
                        array.begin() + static_cast<std::ptrdiff_t>(mine.first),
                        array.begin() + static_cast<std::ptrdiff_t>(mine.end));
                }
                if (!again[r])
                    down[r] = std::make_unique<array_spread>(network.at(rank), 2, all.call(rank));
                else
                    down[r]->again(weft::send_mode::standard);
                spreads[r] = true;
                return weft::progress::some;
            }
            weft::progress const now = down[r]->step();
            if (now != weft::progress::done || again[r]) return now;
            for (std::int64_t const id : all.calls[r].who.mine) all.fill(static_cast<std::size_t>(id));
            up[r]->again(join, weft::send_mode::standard);
            spreads[r] = false;
            again[r] = true;
            return weft::progress::some;
        });
        auto const expected = weft_test::reduced_plainly(rounds, elements);
        for (std::size_t id = 0; id < expected.size(); ++id) {
            // Merged values are those of the keeper.
            std::size_t keeper = id;
            for (int round = 0; round < rounds.rounds(); ++round) {
                auto const group = rounds.group_of(round, static_cast<std::int64_t>(keeper));
                if (group.keeper != weft::each_keeps_a_share && !group.members.empty())
                    keeper = static_cast<std::size_t>(group.members[static_cast<std::size_t>(group.keeper)]);
            }
            EXPECT_EQ(all.arrays[id], expected[keeper]) << "participant " << id;
            element_range const mine = weft::kept_elements(rounds, static_cast<std::int64_t>(id), elements);
            ASSERT_EQ(kept[id].size(), mine.size());
            for (std::size_t i = 0; i < mine.size(); ++i)
                EXPECT_EQ(kept[id][i], expected[keeper][mine.first + i]) << "participant " << id;
        }
        EXPECT_EQ(network.left_over(), "");
    });
}

TEST(array_engines, messages_go_on_when_the_operator_throws) {
    weft_test::for_seeds(200, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 2 + static_cast<int>(random() % 4);
        auto const rounds = drawn_schedule(ranks + 3, random);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        world_of_arrays all(ranks, rounds, 40, random);
        weft_test::bracketing join(static_cast<int>(random() % 20));
        std::vector<std::unique_ptr<array_reduction>> up;
        std::vector<std::unique_ptr<weft_test::late_combinations>> late;
        bool const combines_late = random() % 2 == 0;
        for (int rank = 0; rank < ranks; ++rank) {
            up.push_back(std::make_unique<array_reduction>(network.at(rank), 1, all.call(rank), join));
            late.push_back(std::make_unique<weft_test::late_combinations>(choices));
            if (combines_late) up.back()->combine_by(*late.back());
        }
        weft_test::schedule(network, choices).run([&](int rank) {
            return up[static_cast<std::size_t>(rank)]->step();
        });
        auto const threw =
            std::ranges::count_if(up, [](auto const& each) { return each->thrown() != nullptr; });
        EXPECT_LE(threw, 1);
        EXPECT_EQ(network.left_over(), "");
    });
}
