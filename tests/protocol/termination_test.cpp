/// When all is done is found out neither too early nor never, whatever ranks do because of messages.
#include <protocol/termination/termination.hpp>

#include "sparse_engines.hpp"
#include "talker.hpp"

#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

using weft::census_value;
using weft::progress;
using weft::termination;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::for_choices;
using weft_test::for_seeds;
using weft_test::memory_network;
using weft_test::talker;

namespace {

/// Waves that carry something along, and look at it.
class loaded_waves final : public weft::termination_detector {
public:
    loaded_waves(weft::transport& via, weft::topology const& nodes, std::span<std::byte* const> lines)
        : via_(via), end_(via, nodes, talker::control_tag, lines) {}

    void sent(std::int64_t messages) noexcept override { end_.sent(messages); }
    void handled(std::int64_t messages) noexcept override { end_.handled(messages); }
    [[nodiscard]] std::int64_t waves() const noexcept override { return end_.waves(); }

    [[nodiscard]] progress step(bool idle) override {
        if (!end_.voted() && idle) {
            census_value extra = census_value::identity();
            extra.max[3] = via_.rank();
            extra.any = std::uint64_t{1} << via_.rank();
            end_.vote(extra);
        }
        progress const now = end_.step();
        if (now != progress::done) return now;
        census_value const& result = end_.result();
        if (result.max[3] != via_.size() - 1 || result.any != (std::uint64_t{1} << via_.size()) - 1)
            throw std::logic_error("what travelled with the wave is wrong");
        return end_.quiet() ? progress::done : progress::some;
    }

private:
    weft::transport& via_;
    termination end_;
};

void talk_in_waves(std::vector<weft::topology> const& nodes, bool shared, chooser& choices, adversary manners,
    int phases, int most) {
    weft_test::run_talk(
        nodes, shared, choices, manners, phases, most, [](auto& via, auto const& mine, auto lines) {
            return std::make_unique<loaded_waves>(via, mine, lines);
        });
}

} // namespace

TEST(termination, comes_when_nothing_is_in_flight_and_not_before) {
    for_seeds(2000, [](chooser& choices) {
        std::mt19937_64 random(choices.seed());
        int const ranks = 1 + static_cast<int>(random() % 9);
        auto const nodes = weft_test::drawn_nodes(ranks, random());
        bool const shared = random() % 2 == 0;
        int const phases = 1 + static_cast<int>(random() % 5);
        int const most = std::array{0, 1, 3, 10}[random() % 4];
        talk_in_waves(nodes, shared, choices, adversary::drawn(random), phases, most);
    });
}

TEST(termination, all_choices_of_small_cases) {
    for (bool const shared : {true, false})
        for (auto const& node_of : {std::vector{0, 0}, std::vector{0, 1}, std::vector{0, 0, 1}})
            for_choices({.depth = 10, .stretches = 8, .most = 600}, [&](chooser& choices) {
                std::vector<weft::topology> nodes;
                for (int rank = 0; rank < static_cast<int>(node_of.size()); ++rank)
                    nodes.emplace_back(rank, node_of);
                talk_in_waves(nodes, shared, choices, {.denial = 0.2, .eager = 0.5}, 2, 2);
            });
}

TEST(termination, a_message_between_two_waves_cancels) {
    chooser choices(1);
    memory_network network(1, choices, {.denial = 0});
    weft::topology const alone(0, std::vector<int>{0});
    termination end(network.at(0), alone, talker::control_tag, {});
    auto const wave = [&] {
        census_value ballot = census_value::identity();
        end.vote(ballot);
        EXPECT_TRUE(end.voted());
        while (end.step() != progress::done) {}
        EXPECT_FALSE(end.voted());
        return end.quiet();
    };
    EXPECT_TRUE(wave()) << "nothing was sent";
    end.sent(2);
    end.handled(1);
    EXPECT_FALSE(wave());
    EXPECT_FALSE(wave()) << "one is in flight";
    end.handled(1);
    EXPECT_FALSE(wave()) << "it was handled after the wave before";
    end.sent(1);
    end.handled(1);
    EXPECT_FALSE(wave()) << "another between the two";
    EXPECT_TRUE(wave());
    EXPECT_TRUE(wave()) << "and nothing since";
    EXPECT_EQ(end.waves(), 7);
    EXPECT_EQ(end.messages(), 0);
    EXPECT_EQ(end.sent(), 3);
    EXPECT_EQ(end.handled(), 3);
}
