/// Which protocol `protocol::automatic` stands for.
#pragma once

#include <machine/stored_choices.hpp>
#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/exchange_load.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace weft {

/// Chooses the protocol of a communicator's exchanges: by the machine model from the load of the busiest rank
/// in the last exchange; where the model sees several within a factor of three, by trying these out while
/// the program runs, a few exchanges each, in passes that go on until the fastest is known beyond chance, or
/// after some dozens is taken as it seems. A candidate is dropped once it is significantly slower than the
/// best, or indistinguishable from it. Between passes the best so far is used; in the end the fastest is kept
/// for that class of load, and stored beside a machine model of a file, so that a later run begins with it.
///
/// Every rank holds the same model, learns the same loads in the same order and agrees on the times, so all
/// choose alike; the load or the time of one rank alone never counts.
class protocol_choice {
public:
    /// The findings of an exchange that blocks, on all ranks before any begins another.
    struct experience {
        protocol how;
        exchange_load busiest;
        double seconds; ///< here; negative where user code ran in between
    };

    explicit protocol_choice(communicator const& comm);

    /// The protocol of the next exchange. Local.
    [[nodiscard]] protocol next() {
        // In line, as `learn`: once there is nothing to choose it should cost nothing.
        return now_ != nullptr && settled() ? now_->candidates.front() : choose();
    }
    /// True if the time of that exchange will be of interest. Local.
    [[nodiscard]] bool wants_time() const noexcept { return !settled() && now_->runs >= 0; }
    /// True if the protocol for this class of load is found. The same on all ranks. Local.
    [[nodiscard]] bool settled() const noexcept { return now_->candidates.size() == 1; }
    /// True if the times of this rank must now be added up over all ranks and given to `settle`. The same on
    /// all ranks. Local.
    [[nodiscard]] bool learn(experience const& seen) {
        bool const nothing_new = now_ != nullptr && settled() && seen.busiest == load_;
        return !nothing_new && learn_from(seen);
    }
    /// The typical times of the protocols on trial since the last `settle`, in nanoseconds; at most four.
    [[nodiscard]] std::vector<std::int64_t> times() const;
    /// Goes on with those that are worth it, after some exchanges with the best so far; or with one.
    void settle(std::span<std::int64_t const> times_of_all);

private:
    /// The findings on a class of load.
    struct trial {
        std::vector<protocol> candidates = {};              ///< by predicted time; one, once it is settled
        std::vector<std::vector<std::int64_t>> times = {};  ///< nanoseconds, by candidate, in this pass
        std::vector<std::vector<std::int64_t>> passes = {}; ///< those of all ranks before, by candidate
        int runs_a_block = 0;                               ///< exchanges of a candidate in a pass
        int skipped = 0;                                    ///< of these, not timed
        int runs = 0;           ///< in this pass; negative: what is left of the rest before it
        std::size_t leader = 0; ///< the best so far

        [[nodiscard]] std::size_t candidate() const noexcept; ///< whose turn it is
    };

    [[nodiscard]] protocol choose();
    [[nodiscard]] bool learn_from(experience const& seen);
    [[nodiscard]] choice_key key() const;
    /// Those worth a trial, or the one that a run before has found.
    [[nodiscard]] std::vector<protocol> candidates() const;

    communicator_state& comm_;
    exchange_load load_;
    std::map<int, trial> trials_;
    trial* now_ = nullptr; // that of load_
};

} // namespace weft
