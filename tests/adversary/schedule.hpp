/// The order in which the ranks of a `memory_network` run, all on one thread, and in which the network acts.
#pragma once

#include "memory_network.hpp"

#include <weft/extend/transport/drive.hpp>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft_test {

/// Steps every rank until all are done, and lets the network act in between. At random: some ranks are always
/// slow, and some stop for a while; so does the network, after which many messages arrive at once.
/// Enumerated: every turn is a choice among the network and the ranks that may make progress.
class schedule {
public:
    schedule(memory_network& network, chooser& choices) : network_(network), choices_(choices) {
        for (int r = 0; r < network.size(); ++r) active_.push_back({r});
        if (choices.enumerates()) return;
        network_turns_ = std::array{0.1, 0.5, 0.9}[choices.pick("how fast the network is", 3)];
        lulls_ = choices.happens("the network has lulls", 0.5) ? 1.0 / 64 : 0;
        for (rank_state& each : active_) each.slow = choices.happens("a rank is slow", 0.25);
    }

    /// Calls `step(rank)` for every rank until it is done. Throws std::runtime_error if that takes more than
    /// `limit` turns.
    template <class Step>
    void run(Step&& step, std::int64_t limit = 2'000'000) {
        for (turn_ = 0; !active_.empty(); ++turn_) {
            if (turn_ > limit)
                throw std::runtime_error("stuck: " + std::to_string(active_.size()) + " ranks are not done");
            if (choices_.enumerates())
                enumerated_turn(step);
            else
                random_turn(step);
        }
        while (network_.act()) {} // completions that no rank waits for
    }

private:
    struct rank_state {
        int rank;
        bool slow = false;
        std::int64_t awake_at = 0;
        bool waits = false; // has found nothing to do since the network last acted
    };

    template <class Step>
    void random_turn(Step&& step) {
        bool const can_act = network_.due() > 0 && turn_ >= lull_ends_;
        if (can_act && choices_.happens("the network's turn", network_turns_)) {
            network_turn();
            return;
        }
        std::size_t const place = choices_.pick("which rank steps", active_.size());
        rank_state& chosen = active_[place];
        if (turn_ < chosen.awake_at || (chosen.slow && !choices_.happens("the slow rank steps", 0.05)))
            return;
        if (choices_.happens("it stands still afterwards", 1.0 / 256))
            chosen.awake_at = turn_ + static_cast<std::int64_t>(choices_.pick("for how long", 2000));
        go(place, step);
    }

    void network_turn() {
        if (lull_ends_ != 0) { // a burst: most gathered messages arrive before a rank sees any of them
            lull_ends_ = 0;
            choices_.tell([] { return "a burst"; });
            for (std::size_t left = network_.due(); left > 0; --left) network_.act();
        }
        network_.act();
        if (choices_.happens("the network stands still", lulls_))
            lull_ends_ = turn_ + 1 + static_cast<std::int64_t>(choices_.pick("for how long", 500));
    }

    /// A rank that finds nothing to do is not stepped again before the network has acted, if it can: runs
    /// that differ only in that are equivalent.
    template <class Step>
    void enumerated_turn(Step&& step) {
        bool const can_act = network_.due() > 0;
        places_.clear();
        for (std::size_t place = 0; place < active_.size(); ++place)
            if (!active_[place].waits || !can_act) places_.push_back(place);
        std::size_t const chosen =
            choices_.pick("which rank steps, or the network", places_.size() + (can_act ? 1 : 0));
        if (chosen < places_.size()) {
            go(places_[chosen], step);
        } else {
            network_.act();
            for (rank_state& each : active_) each.waits = false;
        }
    }

    template <class Step>
    void go(std::size_t place, Step&& step) {
        rank_state& chosen = active_[place];
        choices_.tell([&] { return "rank " + std::to_string(chosen.rank) + " steps"; });
        weft::progress const now = step(chosen.rank);
        choices_.tell([&] {
            char const* const said = std::array{"none", "some", "done"}[static_cast<std::size_t>(now)];
            return "rank " + std::to_string(chosen.rank) + " says " + said;
        });
        chosen.waits = now == weft::progress::none;
        if (now == weft::progress::done) active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(place));
    }

    memory_network& network_;
    chooser& choices_;
    double network_turns_ = 0.5;
    double lulls_ = 0;
    std::int64_t lull_ends_ = 0;
    std::int64_t turn_ = 0;
    std::vector<rank_state> active_; // those that are not done
    std::vector<std::size_t> places_;
};

} // namespace weft_test
