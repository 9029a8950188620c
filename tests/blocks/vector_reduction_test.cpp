#include "blocks/vector_reduction.hpp"

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>
#include <harness/mpi_test.hpp>

#include <memory>

using weft::reduce_words;
using weft::reduction;
using weft_test::world;

TEST(vector_reduction, adds_and_compares_word_by_word_at_any_length) {
    for (std::size_t const length : {1u, 2u, 1000u, 100000u})
        for (reduction const how : {reduction::sum, reduction::max}) {
            std::vector<std::int64_t> words(length);
            std::vector<std::int64_t> expected(length, how == reduction::sum ? 0 : INT64_MIN);
            for (int r = 0; r < world().size(); ++r) {
                auto random = weft_test::random(static_cast<std::uint64_t>(r) + length);
                for (std::size_t i = 0; i < length; ++i) {
                    std::int64_t const word = static_cast<std::int64_t>(random() % 2000) - 1000;
                    if (r == world().rank()) words[i] = word;
                    expected[i] = how == reduction::sum ? expected[i] + word : std::max(expected[i], word);
                }
            }
            reduce_words(world(), words, how);
            EXPECT_EQ(words, expected);
        }
}

TEST(vector_reduction, many_in_a_row_do_not_mix) {
    for (std::int64_t i = 0; i < 500; ++i) {
        std::int64_t word = i;
        reduce_words(world(), std::span(&word, 1), reduction::sum);
        ASSERT_EQ(word, i * world().size());
    }
}

TEST(vector_reduction, arrives_everywhere_under_an_adversary) {
    weft_test::for_seeds(300, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 9);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        std::vector<std::vector<std::int64_t>> words;
        std::vector<std::unique_ptr<weft::vector_reduction>> parts;
        for (std::int64_t rank = 0; rank < ranks; ++rank) words.push_back({1, rank, -rank});
        for (int rank = 0; rank < ranks; ++rank)
            parts.push_back(std::make_unique<weft::vector_reduction>(
                network.at(rank), 1, words[static_cast<std::size_t>(rank)], reduction::sum));
        weft_test::schedule(network, choices).run([&](int rank) {
            return parts[static_cast<std::size_t>(rank)]->step();
        });
        std::int64_t const all = ranks * (ranks - 1) / 2;
        for (auto const& each : words) EXPECT_EQ(each, (std::vector<std::int64_t>{ranks, all, -all}));
        EXPECT_EQ(network.left_over(), "");
    });
}
