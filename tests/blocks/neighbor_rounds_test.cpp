/// Rounds among neighbours: whatever comes late comes, once and in order.
#include <blocks/neighbor_rounds.hpp>

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <vector>

using weft::buffer;
using weft::message;
using weft::neighbor_rounds;
using weft::progress;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::memory_network;

namespace {

/// One rank: rounds with a word for each partner, waiting each time until few words are missing.
class rounds_program {
public:
    rounds_program(memory_network& network, int rank, std::vector<int> partners, int last, std::uint64_t seed)
        : rank_(rank), last_(last), random_(seed), rounds_(network.at(rank), 1, std::move(partners)) {
        next_.assign(static_cast<std::size_t>(network.size()), 0);
    }

    progress step() {
        if (left_) return rounds_.step();
        if (!in_round_) {
            std::vector<buffer> outgoing;
            for (int const each : rounds_.partners()) {
                std::int64_t const word = 1000 * rank_ + 100'000 * each + round_;
                buffer made;
                made.append(&word, round_ % 3 == 2 ? 0 : sizeof word); // also messages of no bytes
                outgoing.push_back(std::move(made));
            }
            rounds_.begin(std::move(outgoing));
            in_round_ = true;
            may_be_missing_ =
                round_ == last_ ? 0 : static_cast<std::int64_t>(random_() % (rounds_.partners().size() + 1));
        }
        progress const now = rounds_.step();
        for (message const& each : rounds_.take()) check(each);
        if (rounds_.outstanding() > may_be_missing_) return now;
        in_round_ = false;
        if (may_be_missing_ == 0) {
            for (int const each : rounds_.partners())
                EXPECT_EQ(next_[static_cast<std::size_t>(each)], round_ + 1) << "words of rank " << each;
        }
        if (round_++ < last_) return progress::some;
        left_ = true;
        rounds_.abandon();
        for (int const each : rounds_.partners()) EXPECT_EQ(next_[static_cast<std::size_t>(each)], last_ + 1);
        return progress::some;
    }

private:
    void check(message const& got) {
        std::int64_t& number = next_[static_cast<std::size_t>(got.peer)];
        std::int64_t word = 1000 * got.peer + 100'000 * rank_ + number;
        EXPECT_LE(number, round_) << "a word of a round that rank " << rank_ << " has not begun";
        EXPECT_EQ(got.data.size(), number % 3 == 2 ? 0 : sizeof word);
        if (!got.data.empty()) std::memcpy(&word, got.data.data(), sizeof word);
        EXPECT_EQ(word, 1000 * got.peer + 100'000 * rank_ + number) << "from rank " << got.peer;
        ++number;
    }

    int rank_;
    int last_;
    std::mt19937_64 random_;
    neighbor_rounds rounds_;
    std::vector<std::int64_t> next_; // number of the next message, by source
    int round_ = 0;
    bool in_round_ = false;
    bool left_ = false;
    std::int64_t may_be_missing_ = 0;
};

} // namespace

TEST(neighbor_rounds, all_messages_come_once_and_in_order_however_late) {
    weft_test::for_seeds(400, [](chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 6);
        std::vector<std::set<int>> partners(static_cast<std::size_t>(ranks));
        for (int a = 0; a < ranks; ++a)
            for (int b = 0; b < a; ++b)
                if (random() % 2 == 0) {
                    partners[static_cast<std::size_t>(a)].insert(b);
                    partners[static_cast<std::size_t>(b)].insert(a);
                }
        memory_network network(ranks, choices, adversary::drawn(random));
        std::vector<std::unique_ptr<rounds_program>> programs;
        for (int rank = 0; rank < ranks; ++rank) {
            auto const& mine = partners[static_cast<std::size_t>(rank)];
            programs.push_back(std::make_unique<rounds_program>(
                network, rank, std::vector<int>(mine.begin(), mine.end()), 8, random()));
        }
        weft_test::schedule(network, choices).run([&](int rank) {
            return programs[static_cast<std::size_t>(rank)]->step();
        });
        EXPECT_EQ(network.left_over(), "");
    });
}
