/// When all is done is found out neither too early nor never, whatever ranks do because of messages.
#include <weft/protocol/termination.hpp>

#include "sparse_engines.hpp"

#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using weft::census_value;
using weft::progress;
using weft::request;
using weft::termination;
using weft_test::adversary;
using weft_test::chooser;
using weft_test::for_choices;
using weft_test::for_seeds;
using weft_test::memory_network;
using weft_test::schedule;

namespace {

constexpr int data_tag = 0;
constexpr int control_tag = 1;

/// What all ranks of a run know, and none of the code under test.
struct truth {
    std::vector<int> sent;     // by phase
    std::vector<int> handled;  // likewise
    std::vector<int> finished; // by phase: the ranks that send no more by themselves
    int ranks = 0;
};

/// A rank that sends numbers: whoever gets n sends some that are smaller.
class talker {
public:
    talker(weft::transport& via, weft::topology const& nodes, std::span<std::byte* const> lines, truth& all,
        std::uint64_t seed, int phases, int most)
        : via_(via),
          all_(all),
          random_(seed + static_cast<std::uint64_t>(via.rank())),
          phases_(phases),
          most_(most),
          end_(via, nodes, control_tag, lines) {}

    progress step() {
        std::erase_if(sends_, [&](auto& each) { return via_.test(each->pending); });
        if (phase_ == phases_) return sends_.empty() ? progress::done : progress::none;
        if (!begun_) begin_phase();
        receive();
        if (own_ > 0) {
            --own_;
            send(static_cast<int>(random_() % 4));
            if (own_ == 0) ++all_.finished[static_cast<std::size_t>(phase_)];
            return progress::some;
        }
        // What has come and is not handled does not keep it from voting: counts alone decide.
        if (!end_.voted()) {
            census_value extra = census_value::identity();
            extra.max[3] = via_.rank();
            extra.any = std::uint64_t{1} << via_.rank();
            end_.vote(extra);
        }
        progress const now = end_.step();
        if (now != progress::done) return now;
        judge_wave();
        return progress::some;
    }

private:
    struct under_way {
        int words[2]; // the number, the phase
        request pending = {};
    };

    void begin_phase() {
        begun_ = true;
        waves_before_ = end_.waves();
        own_ = most_ == 0 ? 0 : static_cast<int>(random_() % static_cast<unsigned>(most_ + 1));
        if (own_ == 0) ++all_.finished[static_cast<std::size_t>(phase_)];
    }

    void send(int number) {
        sends_.push_back(std::make_unique<under_way>(under_way{{number, phase_}}));
        end_.sent(1);
        ++all_.sent[static_cast<std::size_t>(phase_)];
        auto const to = static_cast<int>(random_() % static_cast<unsigned>(via_.size()));
        sends_.back()->pending = via_.send(
            to, data_tag, std::as_bytes(std::span(sends_.back()->words)), weft::send_mode::standard);
    }

    /// One message at most; those of the next phase, whose sender has left this one, wait.
    void receive() {
        if (!next_) {
            auto const found = via_.probe(weft::transport::any_source, data_tag);
            if (!found) return;
            next_.emplace();
            next_->pending = via_.receive(*found, std::as_writable_bytes(std::span(next_->words)));
        }
        if (!via_.test(next_->pending)) return;
        auto const [number, sent_in] = next_->words;
        if (sent_in < phase_) throw std::logic_error("a message of a phase that was over");
        if (sent_in > phase_) return;
        next_.reset();
        for (auto more = number > 0 ? random_() % 3 : 0; more > 0; --more) send(number - 1);
        ++all_.handled[static_cast<std::size_t>(phase_)];
        end_.handled(1);
    }

    void judge_wave() {
        census_value const& result = end_.result();
        if (result.max[3] != via_.size() - 1 || result.any != (std::uint64_t{1} << via_.size()) - 1)
            throw std::logic_error("what travelled with the wave is wrong");
        if (!end_.quiet()) return;
        auto const p = static_cast<std::size_t>(phase_);
        if (all_.sent[p] != all_.handled[p] || all_.finished[p] != all_.ranks)
            throw std::logic_error("phase " + std::to_string(phase_) + " was left too early: " +
                                   std::to_string(all_.sent[p] - all_.handled[p]) + " messages");
        if (all_.sent[p] == 0 && end_.waves() != waves_before_ + 1)
            throw std::logic_error("an empty phase took more than a wave");
        ++phase_;
        begun_ = false;
    }

    weft::transport& via_;
    truth& all_;
    std::mt19937_64 random_;
    int phases_;
    int most_;
    termination end_;
    int phase_ = 0;
    bool begun_ = false;
    int own_ = 0; // messages that it will send by itself
    std::int64_t waves_before_ = 0;
    std::vector<std::unique_ptr<under_way>> sends_;
    std::optional<under_way> next_;
};

void run_talk(std::vector<weft::topology> const& nodes, bool shared, chooser& choices, adversary manners,
    int phases, int most) {
    int const ranks = static_cast<int>(nodes.size());
    memory_network network(ranks, choices, manners);
    std::vector<int> const none(static_cast<std::size_t>(phases), 0);
    truth all{none, none, none, ranks};
    std::vector<weft::shared_memory> memory;
    std::vector<std::unique_ptr<talker>> talkers;
    for (int rank = 0; rank < ranks; ++rank) {
        auto const& mine = nodes[static_cast<std::size_t>(rank)];
        memory.push_back(shared ? network.at(rank).share(mine, weft::repeated_census::shared_bytes)
                                : weft::shared_memory());
        talkers.push_back(std::make_unique<talker>(
            network.at(rank), mine, memory.back().parts(), all, choices.seed(), phases, most));
    }
    schedule(network, choices).run([&](int rank) { return talkers[static_cast<std::size_t>(rank)]->step(); });
    talkers.clear();
    EXPECT_EQ(network.left_over(), "");
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
        run_talk(nodes, shared, choices, adversary::drawn(random), phases, most);
    });
}

TEST(termination, all_choices_of_small_cases) {
    for (bool const shared : {true, false})
        for (auto const& node_of : {std::vector{0, 0}, std::vector{0, 1}, std::vector{0, 0, 1}})
            for_choices({.depth = 10, .stretches = 8, .most = 600}, [&](chooser& choices) {
                std::vector<weft::topology> nodes;
                for (int rank = 0; rank < static_cast<int>(node_of.size()); ++rank)
                    nodes.emplace_back(rank, node_of);
                run_talk(nodes, shared, choices, {.denial = 0.2, .eager = 0.5}, 2, 2);
            });
}

TEST(termination, a_message_between_two_waves_cancels) {
    chooser choices(1);
    memory_network network(1, choices, {.denial = 0});
    weft::topology const alone(0, std::vector<int>{0});
    termination end(network.at(0), alone, control_tag, {});
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
