#include <weft/collective/scan_engine.hpp>

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

struct all_scans {
    all_scans(weft_test::memory_network& on, std::string const& poison) {
        for (int rank = 0; rank < on.size(); ++rank) {
            values.push_back(std::make_unique<weft_test::merged_texts>(poison));
            values.back()->add(weft_test::text_of_participant(rank));
            engines.push_back(std::make_unique<scan_engine>(on.at(rank), 1, *values.back()));
        }
    }
    std::vector<std::unique_ptr<weft_test::merged_texts>> values;
    std::vector<std::unique_ptr<scan_engine>> engines;
};

} // namespace

TEST(scan_engine, each_rank_has_those_up_to_it_in_order) {
    weft_test::for_seeds(500, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 11);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        all_scans scans(network, "nothing");
        weft_test::schedule(network, choices).run([&](int rank) {
            return scans.engines[static_cast<std::size_t>(rank)]->step();
        });
        std::string expected;
        for (std::size_t rank = 0; rank < scans.engines.size(); ++rank) {
            expected += weft_test::text_of_participant(static_cast<std::int64_t>(rank));
            std::string letters = scans.values[rank]->at(scans.engines[rank]->value());
            std::erase_if(letters, [](char c) { return c == '(' || c == ')'; });
            EXPECT_EQ(letters, expected);
            EXPECT_EQ(scans.engines[rank]->thrown(), nullptr);
        }
        EXPECT_EQ(network.left_over(), "");
    });
}

TEST(scan_engine, messages_go_on_after_an_error) {
    weft_test::for_seeds(200, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 2 + static_cast<int>(random() % 8);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        all_scans scans(network, weft_test::text_of_participant(1)); // rank 1 fails in its first pair
        weft_test::schedule(network, choices).run([&](int rank) {
            return scans.engines[static_cast<std::size_t>(rank)]->step();
        });
        EXPECT_EQ(scans.engines[0]->thrown(), nullptr);
        EXPECT_NE(scans.engines[1]->thrown(), nullptr);
        EXPECT_EQ(network.left_over(), "");
    });
}
