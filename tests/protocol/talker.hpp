/// Ranks that send messages in response to messages, and their total counts: the traffic for tests of
/// termination detectors.
#pragma once

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>

#include <weft/extend/protocol/repeated_census.hpp>
#include <weft/extend/protocol/termination_detector.hpp>

#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft_test {

/// Facts known to all ranks of a run, but not to the code under test.
struct talk {
    talk(int in_ranks, int phases)
        : ranks(in_ranks), sent(static_cast<std::size_t>(phases), 0), handled(sent), finished(sent) {}

    int ranks;
    std::vector<int> sent;     // by phase
    std::vector<int> handled;  // by phase
    std::vector<int> finished; // by phase: the ranks that will only send in response to messages
};

/// A rank that sends numbers: a rank that gets n sends some smaller numbers.
class talker {
public:
    static constexpr int data_tag = 0;
    static constexpr int control_tag = 1; // for the detector

    talker(weft::transport& via, std::unique_ptr<weft::termination_detector> end, talk& all,
        std::uint64_t seed, int most)
        : via_(via),
          end_(std::move(end)),
          all_(all),
          random_(seed + static_cast<std::uint64_t>(via.rank())),
          most_(most) {}

    weft::progress step() {
        auto const complete =
            std::erase_if(sends_, [&](auto const& each) { return via_.test(each->pending); });
        end_->delivered(static_cast<std::int64_t>(complete));
        if (phase_ == all_.sent.size()) return sends_.empty() ? weft::progress::done : weft::progress::none;
        if (!begun_) begin_phase();
        receive();
        bool const idle = own_ == 0;
        if (!idle) {
            --own_;
            send(static_cast<int>(random_() % 4));
            if (own_ == 0) ++all_.finished[phase_];
        }
        // A message that has arrived and is not handled does not make the rank less idle: only counts decide.
        weft::progress const now = end_->step(idle);
        if (now == weft::progress::done) judge_end();
        return idle && now == weft::progress::none ? now : weft::progress::some;
    }

private:
    struct under_way {
        int words[2]; // the number, the phase
        weft::request pending = {};
    };

    void begin_phase() {
        begun_ = true;
        waves_before_ = end_->waves();
        own_ = most_ == 0 ? 0 : static_cast<int>(random_() % static_cast<unsigned>(most_ + 1));
        if (own_ == 0) ++all_.finished[phase_];
    }

    void send(int number) {
        sends_.push_back(std::make_unique<under_way>(under_way{{number, static_cast<int>(phase_)}}));
        end_->sent(1);
        ++all_.sent[phase_];
        auto const to = static_cast<int>(random_() % static_cast<unsigned>(via_.size()));
        sends_.back()->pending =
            via_.send(to, data_tag, std::as_bytes(std::span(sends_.back()->words)), end_->mode());
    }

    /// Receives at most one message; those of the next phase, whose sender has left this one, wait.
    void receive() {
        if (!next_) {
            auto const found = via_.probe(weft::transport::any_source, data_tag);
            if (!found) return;
            next_.emplace();
            next_->pending = via_.receive(*found, std::as_writable_bytes(std::span(next_->words)));
            end_->received(1);
        }
        if (!via_.test(next_->pending)) return;
        auto const [number, sent_in] = next_->words;
        int const now = static_cast<int>(phase_);
        if (sent_in < now) throw std::logic_error("a message of a phase that was over");
        if (sent_in > now) return;
        next_.reset();
        for (auto more = number > 0 ? random_() % 3 : 0; more > 0; --more) send(number - 1);
        ++all_.handled[phase_];
        end_->handled(1);
    }

    void judge_end() {
        if (all_.sent[phase_] != all_.handled[phase_] || all_.finished[phase_] != all_.ranks)
            throw std::logic_error("phase " + std::to_string(phase_) + " was left too early: " +
                                   std::to_string(all_.sent[phase_] - all_.handled[phase_]) + " messages");
        if (all_.sent[phase_] == 0 && end_->waves() != waves_before_ + 1)
            throw std::logic_error("an empty phase took more than a wave");
        ++phase_;
        begun_ = false;
    }

    weft::transport& via_;
    std::unique_ptr<weft::termination_detector> end_;
    talk& all_;
    std::mt19937_64 random_;
    int most_;
    std::size_t phase_ = 0;
    bool begun_ = false;
    int own_ = 0; // messages that it will send unprompted
    std::int64_t waves_before_ = 0;
    std::vector<std::unique_ptr<under_way>> sends_;
    std::optional<under_way> next_;
};

/// Makes a run of `phases` phases in which each rank sends up to `most` numbers unprompted. `make` takes the
/// transport of a rank, its nodes and its node's shared memory (none unless `shared`), and returns its
/// detector.
template <class Make>
void run_talk(std::vector<weft::topology> const& nodes, bool shared, chooser& choices, adversary manners,
    int phases, int most, Make&& make) {
    int const ranks = static_cast<int>(nodes.size());
    memory_network network(ranks, choices, manners);
    talk all(ranks, phases);
    std::vector<weft::shared_memory> memory;
    std::vector<std::unique_ptr<talker>> talkers;
    for (int rank = 0; rank < ranks; ++rank) {
        auto const& mine = nodes[static_cast<std::size_t>(rank)];
        memory.push_back(shared ? network.at(rank).share(mine, weft::repeated_census::shared_bytes)
                                : weft::shared_memory());
        talkers.push_back(std::make_unique<talker>(network.at(rank),
            make(network.at(rank), mine, memory.back().parts()), all, choices.seed(), most));
    }
    schedule(network, choices).run([&](int rank) { return talkers[static_cast<std::size_t>(rank)]->step(); });
    talkers.clear();
    EXPECT_EQ(network.left_over(), "");
}

} // namespace weft_test
