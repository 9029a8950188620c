#include <collective/doubling_reduction.hpp>

#include <weft/core/error.hpp>

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>
#include <harness/mpi_test.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

using weft::doubling_reduction;

namespace {

/// Texts of a fixed length whose combination shows the order and the brackets.
constexpr std::size_t longest = 96;
using text = std::array<char, longest>;

text text_of(std::string const& from) {
    text made{};
    std::memcpy(made.data(), from.data(), std::min(from.size(), longest - 1));
    return made;
}

class fixed_text_joiner final : public weft::array_operator {
public:
    void combine(std::byte* into, std::byte const* other, std::size_t elements, bool other_is_left) override {
        for (std::size_t i = 0; i < elements; ++i) {
            std::string const mine(reinterpret_cast<char const*>(into) + i * longest);
            std::string const theirs(reinterpret_cast<char const*>(other) + i * longest);
            if ((mine + theirs).find(poison) != std::string::npos) throw weft::usage_error("poison");
            text const made = text_of("(" + (other_is_left ? theirs + mine : mine + theirs) + ")");
            std::memcpy(into + i * longest, made.data(), longest);
        }
    }
    char poison = '!';
};

/// The values of the ranks from `first` on, in pairs, in pairs of pairs.
std::string pairs_of_letters(int first, int width, int ranks) {
    if (width == 1) return std::string(1, static_cast<char>('a' + first));
    std::string const left = pairs_of_letters(first, width / 2, ranks);
    if (first + width / 2 >= ranks) return left;
    return "(" + left + pairs_of_letters(first + width / 2, width / 2, ranks) + ")";
}

/// The value of a rank behind the whole blocks before it.
std::string prefix_of(int rank) {
    std::string made(1, static_cast<char>('a' + rank));
    for (int width = 1; width <= rank; width *= 2)
        if ((rank & width) != 0)
            made = "(" + pairs_of_letters((rank / width - 1) * width, width, rank) + made + ")";
    return made;
}

int power_above(int ranks) {
    int width = 1;
    while (width < ranks) width *= 2;
    return width;
}

} // namespace

TEST(doubling_reduction, every_rank_has_the_brackets_of_a_merge) {
    weft_test::for_seeds(500, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 13);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        constexpr int rounds = 4; // in a row, with one tag: ranks may be in different ones
        int const failing = static_cast<int>(random() % 26);                      // a rank, or none
        std::size_t const elements = random() % 3 + (random() % 8 == 0 ? 60 : 0); // in several pieces too
        struct state {
            std::unique_ptr<doubling_reduction> engine;
            std::vector<text> data;
            fixed_text_joiner how;
            int round = 0;
            bool begun = false;
        };
        std::vector<state> of(static_cast<std::size_t>(ranks));
        weft_test::schedule(network, choices).run([&](int rank) {
            state& mine = of[static_cast<std::size_t>(rank)];
            if (!mine.engine)
                mine.engine = std::make_unique<doubling_reduction>(network.at(rank), 1, elements, longest);
            bool const prefix = mine.round % 2 == 1;
            bool const fails = mine.round >= 2 && rank == failing;
            if (!mine.begun) {
                mine.data.assign(elements, text_of(std::string(1, static_cast<char>('a' + rank))));
                mine.engine->begin(reinterpret_cast<std::byte*>(mine.data.data()), mine.how,
                    prefix ? doubling_reduction::reach::prefix : doubling_reduction::reach::all,
                    fails ? std::make_exception_ptr(weft::usage_error("no values")) : nullptr);
                mine.begun = true;
            }
            weft::progress const now = mine.engine->step();
            if (now != weft::progress::done) return now;
            bool const any_fails = mine.round >= 2 && failing < ranks;
            EXPECT_EQ(mine.engine->lowest_failed(), any_fails ? failing : -1);
            EXPECT_EQ(mine.engine->take_thrown() != nullptr, fails);
            if (!any_fails) {
                for (text const& each : mine.data)
                    EXPECT_EQ(std::string(each.data()),
                        prefix ? prefix_of(rank) : pairs_of_letters(0, power_above(ranks), ranks));
            }
            mine.begun = false;
            return ++mine.round < rounds ? weft::progress::some : now;
        });
        EXPECT_EQ(network.left_over(), "");
    });
}

TEST(doubling_reduction, messages_go_on_after_an_operator_has_thrown) {
    weft_test::for_seeds(100, [](weft_test::chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 2 + static_cast<int>(random() % 9);
        weft_test::memory_network network(ranks, choices, weft_test::adversary::drawn(random));
        struct state {
            std::unique_ptr<doubling_reduction> engine;
            text data{};
            fixed_text_joiner how;
        };
        std::vector<state> of(static_cast<std::size_t>(ranks));
        int throwing = 0;
        weft_test::schedule(network, choices).run([&](int rank) {
            state& mine = of[static_cast<std::size_t>(rank)];
            if (!mine.engine) {
                mine.how.poison = 'b'; // the value of rank 1 cannot be combined
                mine.data = text_of(std::string(1, static_cast<char>('a' + rank)));
                mine.engine = std::make_unique<doubling_reduction>(network.at(rank), 1, 1, longest);
                mine.engine->begin(reinterpret_cast<std::byte*>(&mine.data), mine.how,
                    doubling_reduction::reach::all, nullptr);
            }
            weft::progress const now = mine.engine->step();
            if (now == weft::progress::done && mine.engine->take_thrown()) ++throwing;
            return now;
        });
        EXPECT_GE(throwing, 2); // ranks 0 and 1 have tried
        EXPECT_EQ(network.left_over(), "");
    });
}
