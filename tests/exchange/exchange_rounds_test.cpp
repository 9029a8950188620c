/// Many rounds with nothing between them that keeps the ranks in step.
#include "exchange_rig.hpp"

#include <weft/machine/machine_model.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

using weft::communicator;
using weft::outbox;
using weft_test::exchange_in_form;
using weft_test::exchange_way;
using weft_test::mail_from;

namespace {

class exchange_rounds : public testing::TestWithParam<exchange_way> {
protected:
    communicator comm = GetParam().make();
    int const rank = comm.rank();
    int const size = comm.size();

    /// One round in which every pair of ranks talks with probability 1/2 and says the number of the round.
    void random_round(int round, int form = 0) {
        auto const sends = [&](int from, int to) {
            std::uint64_t z =
                (static_cast<std::uint64_t>(round) << 20) ^ static_cast<std::uint64_t>(from * 1009 + to);
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
            return ((z >> 40) & 1) != 0;
        };
        outbox<int> out(comm);
        for (int to = 0; to < size; ++to)
            if (sends(rank, to)) out[to].push_back(round);
        mail_from<int> expected;
        for (int from = 0; from < size; ++from)
            if (sends(from, rank)) expected.push_back({from, {round}});
        wrong += exchange_in_form(form, std::move(out)) != expected;
    }

    /// How many rounds take about `seconds` here, up to 10,000; 2,000 in any case unless they take five times
    /// as long, as where MPI spins on shared cores. WEFT_TEST_ROUNDS sets the most. Collective.
    template <class Round>
    int affordable_rounds(double seconds, Round&& round) {
        constexpr int samples = 40;
        char const* const wanted = std::getenv("WEFT_TEST_ROUNDS");
        std::int64_t const most = weft::min(comm, wanted != nullptr ? std::atoi(wanted) : 10'000);
        auto const before = std::chrono::steady_clock::now();
        for (int i = 0; i < samples; ++i) round(i);
        std::chrono::duration<double> const each = (std::chrono::steady_clock::now() - before) / samples;
        auto const in = [&](double time) { return static_cast<std::int64_t>(time / each.count()); };
        std::int64_t const afforded =
            std::max({in(seconds), std::min<std::int64_t>(in(5 * seconds), 2000), std::int64_t{200}});
        return static_cast<int>(std::min(most, weft::min(comm, afforded)));
    }

    int wrong = 0;
};

} // namespace

INSTANTIATE_TEST_SUITE_P(
    ways, exchange_rounds, testing::ValuesIn(weft_test::straight_ways), weft_test::way_name);

TEST_P(exchange_rounds, never_mix) {
    int const rounds = affordable_rounds(1.0, [&](int round) { random_round(round); });
    for (int round = 0; round < rounds; ++round) random_round(round);
    EXPECT_EQ(wrong, 0) << "of " << rounds << " rounds";
}

// The first rounds of a form are not in step with the last of another: a handle is complete on one rank
// before another rank has looked.
TEST_P(exchange_rounds, never_mix_in_any_form) {
    int const rounds = std::min(2000, affordable_rounds(0.5, [&](int round) { random_round(round, round); }));
    for (int round = 0; round < rounds; ++round) random_round(round, round % 60 / 20);
    for (int round = 0; round < rounds / 2; ++round) random_round(round, round);
    EXPECT_EQ(wrong, 0) << "of " << rounds / 2 * 3 << " rounds";
}

TEST_P(exchange_rounds, never_mix_when_one_rank_is_slow) {
    for (int round = 0; round < 40; ++round) {
        if (round % size == rank) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        random_round(round, round / 4);
    }
    EXPECT_EQ(wrong, 0);
}

TEST_P(exchange_rounds, carry_random_bytes_to_random_targets) {
    // Hoefler, Siebert, Lumsdaine, section 4.3: k random targets, messages of 1 to 1024 bytes.
    constexpr std::uint64_t k = 6;
    auto const targets = [&](int from, int round) {
        std::mt19937 random(static_cast<unsigned>(from * 7919 + round));
        std::vector<std::pair<int, std::size_t>> made; // destination and bytes
        for (std::uint64_t i = 0; i < k; ++i) {
            auto const to = static_cast<int>(random() % static_cast<unsigned>(size));
            std::size_t const bytes = 1 + random() % 1024;
            bool const is_new =
                std::ranges::find(made, to, &std::pair<int, std::size_t>::first) == made.end();
            if (is_new) made.emplace_back(to, bytes);
        }
        return made;
    };
    auto const content = [](int from, int to, int round, std::size_t bytes) {
        std::vector<unsigned char> made(bytes);
        for (std::size_t j = 0; j < bytes; ++j)
            made[j] = static_cast<unsigned char>(
                (static_cast<std::size_t>(131 * from + 31 * to + 7 * round) + j) % 256);
        return made;
    };
    auto const play = [&](int round) {
        outbox<unsigned char> out(comm);
        for (auto const& [to, bytes] : targets(rank, round)) out[to].append(content(rank, to, round, bytes));
        mail_from<unsigned char> expected;
        for (int from = 0; from < size; ++from)
            for (auto const& [to, bytes] : targets(from, round))
                if (to == rank) expected.push_back({from, content(from, rank, round, bytes)});
        wrong += exchange_in_form(round / 10, std::move(out)) != expected;
    };
    int const rounds = std::min(1000, affordable_rounds(0.5, play));
    for (int round = 0; round < rounds; ++round) play(round);
    EXPECT_EQ(wrong, 0) << "of " << rounds << " rounds";
}

TEST_P(exchange_rounds, a_hot_receiver_gets_all) {
    for (int round = 0; round < 10; ++round) {
        outbox<int> out(comm);
        for (int i = 0; i < 20'000; ++i) out[0].push_back(rank + i);
        auto const box = weft::exchange(std::move(out));
        EXPECT_EQ(box.item_count(), rank == 0 ? 20'000u * static_cast<std::size_t>(size) : 0u);
        for (auto const& [source, items] : box) {
            EXPECT_EQ(items.front(), source);
            EXPECT_EQ(items.back(), source + 19'999);
        }
    }
}

TEST_P(exchange_rounds, may_alternate_protocols_and_types) {
    for (int round = 0; round < 30; ++round) {
        auto const all = weft::all_protocols();
        weft::exchange_options const options{.protocol = all[static_cast<std::size_t>(round) % all.size()]};
        outbox<int> numbers(comm);
        numbers[(rank + round) % size].push_back(round);
        EXPECT_EQ(weft::exchange(std::move(numbers), options).concatenate(), std::vector<int>{round});
        outbox<std::string> texts(comm);
        texts[(rank + round) % size].push_back(std::to_string(round));
        EXPECT_EQ(weft::exchange(std::move(texts), options).concatenate(),
            std::vector<std::string>{std::to_string(round)});
        EXPECT_EQ(weft::sum(comm, 1), size);
    }
}
