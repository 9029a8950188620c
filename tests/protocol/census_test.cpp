#include <weft/extend/protocol/census.hpp>

#include <weft/detail/core/recycled.hpp>

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

using weft::all_reduce_method;
using weft::census;
using weft::census_value;
using weft::progress;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::for_seeds;
using weft_test::memory_network;
using weft_test::schedule;

namespace {

/// Sums of hashed words: a value that is missing or counted twice shows with all but certainty.
census_value value_of(int rank) {
    std::mt19937_64 words(static_cast<std::uint64_t>(rank) + 1);
    census_value value = census_value::identity();
    value.sum = {1, rank, static_cast<std::int64_t>(words() >> 8), static_cast<std::int64_t>(words() >> 8)};
    for (auto& each : value.max) each = static_cast<std::int64_t>(words());
    value.any = std::uint64_t{1} << (rank % 64);
    return value;
}

census_value combined(int ranks) {
    census_value all = census_value::identity();
    for (int r = 0; r < ranks; ++r) all = combine(all, value_of(r));
    return all;
}

/// One census over P ranks that enter when they please, some of them prepared.
void run_census(int ranks, all_reduce_method method, chooser& choices) {
    std::mt19937_64 random(choices.seed());
    memory_network network(ranks, choices, adversary::drawn(random));
    std::vector<std::unique_ptr<census>> parts;
    std::vector<int> steps_before_entering;
    std::vector<bool> prepared;
    for (int r = 0; r < ranks; ++r) {
        parts.push_back(std::make_unique<census>(network.at(r), 1, method));
        steps_before_entering.push_back(static_cast<int>(random() % 4 == 0 ? random() % 50 : 0));
        prepared.push_back(random() % 2 == 0);
        if (!prepared.back()) continue;
        parts.back()->contribution() = value_of(r);
        parts.back()->prepare();
    }
    int entered = 0;
    bool too_early = false;
    schedule(network, choices).run([&](int rank) {
        auto const r = static_cast<std::size_t>(rank);
        if (--steps_before_entering[r] >= 0) return progress::none;
        if (steps_before_entering[r] == -1) {
            prepared[r] ? parts[r]->enter_prepared() : parts[r]->enter(value_of(rank));
            ++entered;
        }
        progress const now = parts[r]->step();
        too_early = too_early || (now == progress::done && entered < ranks);
        return now;
    });
    EXPECT_FALSE(too_early) << "a rank was done before all had entered";
    for (auto const& part : parts) EXPECT_EQ(part->result(), combined(ranks)) << "P = " << ranks;
    EXPECT_EQ(network.left_over(), "");
}

class any_census : public testing::TestWithParam<all_reduce_method> {};

} // namespace

INSTANTIATE_TEST_SUITE_P(methods, any_census,
    testing::Values(all_reduce_method::dissemination, all_reduce_method::collective),
    [](auto const& info) { return std::string(weft::name_of(info.param)); });

TEST_P(any_census, counts_every_rank_once_for_every_small_number_of_ranks) {
    for_seeds(240,
        [](chooser& choices) { run_census(1 + static_cast<int>(choices.seed() % 40), GetParam(), choices); });
}

TEST_P(any_census, counts_every_rank_once_on_more_ranks) {
    for_seeds(12, [](chooser& choices) {
        run_census(std::array{64, 100, 127, 128}[choices.seed() % 4], GetParam(), choices);
    });
}

TEST(census, of_one_rank_is_done_at_its_first_step) {
    chooser choices(1);
    memory_network network(1, choices, {.denial = 0});
    census alone(network.at(0), 1, all_reduce_method::dissemination);
    alone.enter(value_of(0));
    EXPECT_EQ(alone.step(), progress::done);
    EXPECT_EQ(alone.result(), value_of(0));
    EXPECT_EQ(alone.messages(), 0);
}

TEST(census, of_dissemination_takes_one_message_a_round) {
    for (int const ranks : {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33}) {
        chooser choices(1);
        memory_network network(ranks, choices, {});
        std::vector<std::unique_ptr<census>> parts;
        for (int r = 0; r < ranks; ++r) {
            parts.push_back(std::make_unique<census>(network.at(r), 1, all_reduce_method::dissemination));
            parts.back()->enter(value_of(r));
        }
        schedule(network, choices).run([&](int rank) {
            return parts[static_cast<std::size_t>(rank)]->step();
        });
        int const rounds = std::bit_width(static_cast<unsigned>(ranks - 1)); // ceil(log2 P)
        for (auto const& part : parts) EXPECT_EQ(part->messages(), rounds) << "P = " << ranks;
    }
}

TEST(census, several_may_be_open_and_entered_in_different_orders) {
    constexpr int open = 5;
    for_seeds(200, [](chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 9);
        memory_network network(ranks, choices, adversary::drawn(random));
        std::vector<std::vector<std::unique_ptr<census>>> parts(static_cast<std::size_t>(ranks));
        std::vector<std::vector<int>> left(parts.size());
        for (int r = 0; r < ranks; ++r) {
            std::vector<int> order{0, 1, 2, 3, 4};
            std::ranges::shuffle(order, random);
            auto& mine = parts[static_cast<std::size_t>(r)];
            for (int i = 0; i < open; ++i)
                mine.push_back(
                    std::make_unique<census>(network.at(r), 2 * i + 1, all_reduce_method::dissemination));
            for (int const i : order) {
                census_value value = value_of(r);
                value.sum[1] = i;
                mine[static_cast<std::size_t>(i)]->enter(value);
            }
            left[static_cast<std::size_t>(r)] = order;
        }
        schedule(network, choices).run([&](int rank) {
            auto const r = static_cast<std::size_t>(rank);
            std::erase_if(left[r],
                [&](int i) { return parts[r][static_cast<std::size_t>(i)]->step() == progress::done; });
            return left[r].empty() ? progress::done : progress::none;
        });
        for (auto const& mine : parts)
            for (int i = 0; i < open; ++i) {
                census_value expected = combined(ranks);
                expected.sum[1] = static_cast<std::int64_t>(i) * ranks;
                EXPECT_EQ(mine[static_cast<std::size_t>(i)]->result(), expected);
            }
        EXPECT_EQ(network.left_over(), "");
    });
}

// A rank that fails drops its census; others go on to send, and MPI to write.
TEST(census, leaves_its_memory_to_messages_that_are_still_under_way) {
    constexpr int ranks = 4;
    chooser choices(1);
    memory_network network(ranks, choices, {.denial = 0});
    std::vector<std::unique_ptr<census>> parts;
    for (int r = 0; r < ranks; ++r) {
        parts.push_back(std::make_unique<census>(network.at(r), 1, all_reduce_method::dissemination));
        parts.back()->enter(value_of(r));
    }
    parts[0].reset();
    std::vector<std::pair<std::byte*, std::size_t>> blocks; // the memory of `parts[0]` would be among them
    for (std::size_t bytes = 64; bytes < 2048; bytes += 64)
        for (int i = 0; i < 8; ++i) {
            blocks.emplace_back(static_cast<std::byte*>(weft::detail::take_recycled(bytes)), bytes);
            std::fill_n(blocks.back().first, bytes, std::byte{0x11});
        }
    while (network.act()) {}
    for (auto const& [block, bytes] : blocks) {
        EXPECT_EQ(std::count(block, block + bytes, std::byte{0x11}), static_cast<std::ptrdiff_t>(bytes));
        weft::detail::give_recycled(block, bytes);
    }
}
