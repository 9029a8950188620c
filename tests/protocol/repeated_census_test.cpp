/// Many censuses of the same ranks, one after the other: over lines in shared memory, over messages, and
/// both.
#include <weft/extend/protocol/repeated_census.hpp>

#include "sparse_engines.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using weft::census_value;
using weft::progress;
using weft::repeated_census;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::for_choices;
using weft_test::for_seeds;
using weft_test::memory_network;
using weft_test::schedule;

namespace {

/// Differs by rank and round, in every field that travels, so that a value that is missing, counted twice or
/// of another round shows.
census_value value_of(int rank, int round) {
    std::uint64_t word = 0x9E3779B97F4A7C15ull * static_cast<std::uint64_t>(1 + rank + 1000 * round);
    auto const next = [&] {
        word ^= word >> 29;
        word *= 0xBF58476D1CE4E5B9ull;
        return static_cast<std::int64_t>(word >> 16);
    };
    census_value value = census_value::identity();
    for (auto& each : std::span(value.sum).first(repeated_census::sums)) each = next();
    for (auto& each : std::span(value.max).first(repeated_census::maxima)) each = next();
    value.any = std::uint64_t{1} << ((rank + round) % 64);
    return value;
}

/// All ranks of a row of censuses, and what they know of each other.
struct row {
    row(std::vector<weft::topology> const& placed, bool shared, chooser& choices, adversary manners)
        : nodes(placed), network(static_cast<int>(nodes.size()), choices, manners) {
        for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
            weft::transport& via = network.at(static_cast<int>(rank));
            if (shared) memory.push_back(via.share(nodes[rank], repeated_census::shared_bytes));
            auto const lines = shared ? memory.back().parts() : std::span<std::byte* const>();
            parts.push_back(std::make_unique<repeated_census>(via, nodes[rank], 1, lines));
        }
        entered.resize(nodes.size(), 0);
    }

    /// Takes part in the next census, or goes on with it; done after so many.
    progress step(int rank, int rounds) {
        auto const r = static_cast<std::size_t>(rank);
        repeated_census& mine = *parts[r];
        if (!mine.entered()) {
            if (mine.step() != progress::none) throw std::logic_error("a step of nothing says something");
            mine.enter(value_of(rank, entered[r]++));
        }
        progress const now = mine.step();
        if (now != progress::done) return now;
        int const round = static_cast<int>(mine.count()) - 1;
        if (round != entered[r] - 1) throw std::logic_error("the count is wrong");
        if (std::ranges::any_of(entered, [&](int each) { return each <= round; }))
            throw std::logic_error(
                "rank " + std::to_string(rank) + " left census " + std::to_string(round) + " too early");
        if (!(mine.result() == expected(round)))
            throw std::logic_error("census " + std::to_string(round) + " came to something else");
        if (mine.entered()) throw std::logic_error("a census that is done is still entered");
        return round + 1 == rounds ? progress::done : progress::some;
    }

    [[nodiscard]] census_value expected(int round) const {
        census_value all = census_value::identity();
        for (int rank = 0; rank < network.size(); ++rank) all = combine(all, value_of(rank, round));
        return all;
    }

    void run(chooser& choices, int rounds) {
        schedule(network, choices)
            .run([&](int rank) { return step(rank, rounds); }, 20'000 * rounds + 2'000'000);
        for (auto const& each : parts) EXPECT_TRUE(each->at_rest());
        parts.clear();
        EXPECT_EQ(network.left_over(), "");
    }

    std::vector<weft::topology> nodes;
    memory_network network;
    std::vector<weft::shared_memory> memory;
    std::vector<std::unique_ptr<repeated_census>> parts;
    std::vector<int> entered; // by rank
};

std::vector<weft::topology> placed(std::vector<int> const& node_of) {
    std::vector<weft::topology> made;
    for (int rank = 0; rank < static_cast<int>(node_of.size()); ++rank) made.emplace_back(rank, node_of);
    return made;
}

void search_small_cases(std::vector<int> const& node_of, bool shared) {
    for_choices({.depth = 10, .stretches = 8, .most = 800}, [&](chooser& choices) {
        row(placed(node_of), shared, choices, {.denial = 0.2, .eager = 0.5}).run(choices, 4);
    });
}

} // namespace

TEST(repeated_census, all_have_entered_and_every_rank_counts_once) {
    for_seeds(1500, [](chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 12);
        bool const shared = random() % 4 != 0;
        auto const nodes = weft_test::drawn_nodes(ranks, random());
        row all(nodes, shared, choices, adversary::drawn(random));
        all.run(choices, 1 + static_cast<int>(random() % 12));
    });
}

TEST(repeated_census, thousands_back_to_back) {
    for_seeds(9, [](chooser& choices) {
        std::mt19937_64 random(choices.seed());
        std::vector<int> const node_of =
            std::array{std::vector{0, 0, 0}, std::vector{0, 1, 0, 1, 1}, std::vector{0, 1, 2}}[random() % 3];
        row all(placed(node_of), random() % 3 != 0, choices, adversary::drawn(random));
        all.run(choices, 3000);
    });
}

TEST(repeated_census, all_choices_of_small_cases) {
    for (bool const shared : {true, false}) {
        search_small_cases({0, 0}, shared);
        search_small_cases({0, 1}, shared);
        search_small_cases({0, 1, 0}, shared);
    }
}

TEST(repeated_census, of_one_small_node_needs_no_message) {
    for (int const ranks : {1, 2, 8}) {
        chooser choices(1);
        row all(placed(std::vector<int>(static_cast<std::size_t>(ranks), 0)), true, choices, {});
        schedule(all.network, choices).run([&](int rank) { return all.step(rank, 20); });
        for (auto const& each : all.parts) EXPECT_EQ(each->messages(), 0);
    }
}

TEST(repeated_census, of_several_nodes_sends_from_their_first_cores_alone) {
    chooser choices(1);
    row all(placed({0, 0, 1, 1, 2, 2, 3}), true, choices, {});
    schedule(all.network, choices).run([&](int rank) { return all.step(rank, 20); });
    for (std::size_t rank = 0; rank < all.parts.size(); ++rank)
        EXPECT_EQ(all.parts[rank]->messages(), all.nodes[rank].core() == 0 ? 2 * 20 : 0) << "rank " << rank;
}
