/// Values of any size merged along a schedule.
#pragma once

#include "message_source.hpp"

#include <weft/collective/schedule.hpp>
#include <weft/core/buffer.hpp>
#include <weft/detail/collective/combination_runner.hpp>
#include <weft/detail/collective/merged_values.hpp>
#include <weft/extend/collective/participants.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// Merges the values of participants as the rounds of a schedule say, each of which has a keeper. The members
/// of a group are combined in pairs, those in pairs, and so on, in the order of the group, as soon as both of
/// a pair are here: the result depends on the schedule alone. With contiguous groups of 2, 4, 8 or 16 it does
/// not even depend on k.
///
/// Errors of the operator do not stop the messages: they carry the lowest rank that failed, so the keepers of
/// the last round know it. Two ranks may be in different merges with one tag: every message has a known
/// source, and two between the same ranks do not overtake.
///
/// Cost: a message for each participant that does not keep, between ranks, after the number of rounds.
/// Source: Peterka, Ross, EuroMPI 2012, algorithm 1 and figure 4.
class merge_engine final : public engine {
public:
    /// `who` and `rounds` are read now; the transport and the values must outlive the engine. Throws:
    /// `usage_error` for a round without a keeper.
    merge_engine(transport& via, int tag, schedule const& rounds, participants const& who,
        detail::merged_values& values, send_mode mode = send_mode::standard);
    /// Leaves the memory of messages under way to MPI.
    ~merge_engine() override;

    /// Pairs are combined by a runner, which must outlive the last step, and not the values. Before the first
    /// step.
    void combine_by(detail::combination_runner& runner);
    /// An error of this rank from before the merge, which then combines nothing. Before the first step.
    void fail(std::exception_ptr thrown);
    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;

    /// A participant of this rank that gave nothing away.
    struct result {
        std::size_t place; ///< among those of this rank
        std::size_t value; ///< the number of its value
    };
    /// Only after done, and if nobody failed.
    [[nodiscard]] std::vector<result> results() const;
    /// The lowest rank that failed, as far as this rank has heard; -1 for none.
    [[nodiscard]] int lowest_failed() const noexcept { return failed_; }
    /// The error of this rank, if there was one.
    [[nodiscard]] std::exception_ptr thrown() const noexcept { return thrown_; }
    /// Messages that this rank sends.
    [[nodiscard]] int messages() const noexcept { return static_cast<int>(sent_.size()); }

private:
    static constexpr std::size_t absent = SIZE_MAX;

    struct heading {
        std::int64_t from = 0;
        std::int64_t to = 0;
        std::int64_t failed = -1;
    };
    /// A member's value in a group: that of `width` = 2^height members once it is combined.
    struct part {
        std::size_t value = absent;
        int height = 0;
    };
    /// A round of a participant in which it keeps; or its last, in which it gives away.
    struct group {
        std::vector<std::int64_t> members;
        std::size_t mine = 0;
        std::int64_t gives_to = -1;
        std::vector<part> parts = {};
    };
    struct participant {
        std::int64_t id = 0;
        std::size_t value = 0;
        std::vector<group> groups = {};
        std::size_t current = 0;
        int target = -1; // the rank that it gives to in the end
        bool gave = false;
    };
    /// A pair that a runner has in hand: both of its parts are absent until then.
    struct pair_in_hand {
        participant* who;
        std::size_t round;
        std::size_t left; // member
        std::size_t value;
    };
    struct outgoing {
        buffer data;
        request pending = {};
    };

    void plan(schedule const& rounds, participants const& who);
    void expect_from(int rank);
    void enter(participant& who);
    void get_on(participant& who);
    void place(participant& keeper, std::int64_t from, std::size_t value);
    void climb(participant& who, std::size_t round, std::size_t member);
    [[nodiscard]] bool hand_over(participant& who, std::size_t round, std::size_t left, std::size_t right);
    bool collect(bool idle);
    void give(participant& who, std::int64_t to);
    void take(std::span<std::byte const> bytes);
    [[nodiscard]] participant& local(std::int64_t id);
    template <class Action>
    void guarded(Action&& action);

    transport& via_;
    int tag_;
    send_mode mode_;
    detail::merged_values& values_;
    detail::combination_runner* runner_ = nullptr;
    std::vector<pair_in_hand> pairs_; // by number
    std::size_t in_hand_ = 0;         // of them
    std::vector<participant> mine_;
    std::vector<message_source> sources_;
    std::deque<outgoing> sent_;
    std::size_t sent_complete_ = 0;
    bool begun_ = false;
    int failed_ = -1;
    std::exception_ptr thrown_;
};

} // namespace weft
