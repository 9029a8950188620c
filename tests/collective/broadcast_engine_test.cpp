#include <collective/broadcast_engine.hpp>

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>
#include <harness/mpi_test.hpp>

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

using weft::broadcast_engine;

TEST(broadcast_engine, every_rank_gets_the_bytes_of_every_root) {
    weft_test::for_seeds(500, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 9);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        // Several in a row with one tag; roots do not wait for the others.
        constexpr int rounds = 3;
        std::vector<int> roots;
        std::vector<std::string> texts;
        for (int round = 0; round < rounds; ++round) {
            roots.push_back(static_cast<int>(random() % static_cast<unsigned>(ranks)));
            texts.emplace_back(random() % 50, static_cast<char>('a' + round));
        }
        std::vector<std::vector<std::unique_ptr<broadcast_engine>>> of(static_cast<std::size_t>(ranks));
        std::vector<int> round_of(static_cast<std::size_t>(ranks));
        weft_test::schedule(network, choices).run([&](int rank) {
            auto const r = static_cast<std::size_t>(rank);
            auto const round = static_cast<std::size_t>(round_of[r]);
            if (of[r].size() == round) {
                of[r].push_back(std::make_unique<broadcast_engine>(network.at(rank), 1, roots[round]));
                if (rank == roots[round]) {
                    of[r].back()->fill(static_cast<int>(round) - 1);
                    of[r].back()->bytes().append(texts[round].data(), texts[round].size());
                }
            }
            weft::progress const now = of[r][round]->step();
            if (now != weft::progress::done) return now;
            EXPECT_EQ(of[r][round]->lowest_failed(), static_cast<int>(round) - 1);
            auto const bytes = of[r][round]->received();
            EXPECT_EQ(std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size()), texts[round]);
            return ++round_of[r] < rounds ? weft::progress::some : now;
        });
        EXPECT_EQ(network.left_over(), "");
    });
}
