/// A nonblocking all-reduce and barrier: no rank gets the result before all ranks have entered.
#pragma once

#include <weft/core/settings.hpp>
#include <weft/detail/core/prefetch.hpp>
#include <weft/detail/core/recycled.hpp>
#include <weft/extend/core/epoch.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <span>

namespace weft {

/// One rank's part in a census. Every rank enters once with a value; when `step` says done, `result` is the
/// combination of the values of all ranks, each counted once. It is therefore a barrier and an all-reduce in
/// one.
///
/// `all_reduce_method::dissemination` takes ceil(log2 P) rounds of one small message each, over the control
/// tag of the epoch; any number may be open at once. `all_reduce_method::collective` is MPI_Iallreduce: ranks
/// must enter the censuses of a communicator in the same order, so only one operation may be open.
///
/// Cost: (L + 2o) ceil(log2 P). Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010, sections 2.3 and 3.4; the
/// rounds count every rank once for any P, after Bruck and Ho's circulant reduction: a rank holds the
/// combination of the last n and of the last n + 1 ranks (itself the newest), and n doubles, plus one where
/// the binary digit of P is set.
class census final : public engine {
public:
    /// Makes a census of all ranks. The transport must outlive it.
    census(transport& via, int control_tag, all_reduce_method method);
    /// Makes a census of some ranks, by dissemination: `members`, which contain this rank at `place`, in the
    /// same order on all of them. The span must outlive the census.
    census(transport& via, int control_tag, std::span<int const> members, int place);
    /// Leaves the memory of messages under way to MPI.
    ~census() override {
        if (sent_complete_ != rounds_.size()) [[unlikely]]
            leave_messages();
    }

    /// Contributes the value of this rank. To be called once, before the first step.
    void enter(census_value const& mine) {
        contribution() = mine;
        prepare();
        enter_prepared();
    }
    /// Returns the contribution, to enter in two steps: a rank that must wait before it may enter writes its
    /// contribution there and calls `prepare` while it waits.
    [[nodiscard]] census_value& contribution() noexcept { return held_.n; }
    /// Prepares to enter with `contribution()`.
    void prepare();
    /// Enters with the prepared value.
    void enter_prepared();
    [[nodiscard]] progress step() override;
    /// Replaces `step` if the result is no longer needed: releases open requests and begins no others.
    /// Returns true if no request is left.
    [[nodiscard]] bool let_go();
    void describe_wait(std::string& into) const override;
    /// Begins to load into the cache what a step reads beside this object.
    void prefetch() const noexcept {
        if (current_ >= rounds_.size()) return;
        round const& now = rounds_[current_];
        detail::prefetch(&now.distance, 1);
        detail::prefetch(now.incoming, most_packed);
        if (current_ + 1 < rounds_.size())
            detail::prefetch(&now + 1, offsetof(round, outgoing) + most_packed);
    }
    /// Returns the combined value. Only after `step` has returned done.
    [[nodiscard]] census_value const& result() const noexcept { return held_.n; }
    /// Returns the number of messages that this rank sends.
    [[nodiscard]] int messages() const noexcept { return static_cast<int>(rounds_.size()); }

private:
    /// Combinations over the last n and the last n + 1 ranks. A collective reads the second while it runs.
    struct windows {
        census_value n;
        census_value n_plus_1;
    };
    static constexpr std::size_t most_packed = 96; // bytes of a value
    struct round {
        round(int away, bool digit, bool both) : distance(away), odd(digit), keep_both(both) {}

        int distance;
        bool odd;       // the binary digit of P
        bool keep_both; // a later digit needs the window of n + 1
        request receive = {};
        request send = {};
        std::size_t outgoing_bytes = 0;
        // One packed value, or two if the receiver continues with both. Not initialised: they are written
        // before they are read.
        std::byte outgoing[2 * most_packed];
        std::byte incoming[2 * most_packed];
    };

    /// Returns the member `distance` places after this one in the ring of members; `distance` is less than
    /// their number.
    [[nodiscard]] int member(int distance) const noexcept {
        int const place = place_ + distance < size_ ? place_ + distance : place_ + distance - size_;
        return members_.empty() ? place : members_[static_cast<std::size_t>(place)];
    }
    void leave_messages() noexcept;
    void plan_rounds();
    void pack(round& into) const noexcept;
    void send(round& now);

    transport& via_;
    int tag_;
    all_reduce_method method_;
    std::span<int const> members_ = {}; // empty: all
    int size_;                          // of the members
    int place_;
    windows held_;
    detail::recycled_vector<round> rounds_;
    std::size_t current_ = 0;
    std::size_t sent_complete_ = 0;
    request collective_ = {};
};

} // namespace weft
