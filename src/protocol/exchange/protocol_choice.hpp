/// The choice of a protocol for `protocol::automatic`.
#pragma once

#include <machine/stored_choices.hpp>
#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/exchange_load.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace weft {

/// Chooses the protocol of a communicator's exchanges by the machine model, from the load of the busiest rank
/// in the last exchange. If the model predicts several within a factor of three, it tries these while the
/// program runs, for a few exchanges each, in passes that continue until the fastest one is significant, or
/// for some dozens at most. A candidate is dropped once it is significantly slower than the best, or
/// indistinguishable from it. Between passes the best so far is used. In the end the fastest is kept for that
/// class of load, and stored beside the file of a machine model, so that later runs begin with it.
///
/// All ranks have the same model, see the same loads in the same order and agree on the times, so all choose
/// alike; the load or the time of a single rank never counts.
class protocol_choice {
public:
    /// The result of a blocking exchange, on all ranks before any begins another.
    struct experience {
        protocol how;
        exchange_load busiest;
        double seconds; ///< on this rank; negative if user code ran in between
    };

    explicit protocol_choice(communicator const& comm);

    /// Returns the protocol of the next exchange. Local.
    [[nodiscard]] protocol next() {
        // Inline, as `learn`: without a choice to make it should cost nothing.
        return now_ != nullptr && settled() ? now_->candidates.front() : choose();
    }
    /// Returns true if the time of that exchange is needed. Local.
    [[nodiscard]] bool wants_time() const noexcept { return !settled() && now_->runs >= 0; }
    /// Returns true if the protocol for this class of load is found. The same on all ranks. Local.
    [[nodiscard]] bool settled() const noexcept { return now_->candidates.size() == 1; }
    /// Returns true if the times of this rank must now be added up over all ranks and passed to `settle`. The
    /// same on all ranks. Local.
    [[nodiscard]] bool learn(experience const& seen) {
        bool const nothing_new = now_ != nullptr && settled() && seen.busiest == load_;
        return !nothing_new && learn_from(seen);
    }
    /// Returns the typical times of the candidates since the last `settle`, in nanoseconds; at most four.
    [[nodiscard]] std::vector<std::int64_t> times() const;
    /// Continues with the candidates worth it, after a rest with the best so far; or with a single one.
    void settle(std::span<std::int64_t const> times_of_all);

private:
    /// The trial of a class of load.
    struct trial {
        std::vector<protocol> candidates = {};              ///< by predicted time; a single one when settled
        std::vector<std::vector<std::int64_t>> times = {};  ///< nanoseconds of this pass, by candidate
        std::vector<std::vector<std::int64_t>> passes = {}; ///< agreed times of earlier passes, by candidate
        int runs_a_block = 0;                               ///< exchanges of a candidate in a pass
        int skipped = 0;                                    ///< exchanges of these without timing
        int runs = 0;           ///< in this pass; negative: remaining exchanges of the rest
        std::size_t leader = 0; ///< best candidate so far

        [[nodiscard]] std::size_t candidate() const noexcept; ///< the one whose turn it is
    };

    [[nodiscard]] protocol choose();
    [[nodiscard]] bool learn_from(experience const& seen);
    [[nodiscard]] choice_key key() const;
    /// Returns the candidates worth a trial, or the protocol found by an earlier run.
    [[nodiscard]] std::vector<protocol> candidates() const;

    communicator_state& comm_;
    exchange_load load_;
    std::map<int, trial> trials_;
    trial* now_ = nullptr; // the trial for load_
};

} // namespace weft
