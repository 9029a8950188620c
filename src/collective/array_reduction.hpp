/// Arrays combined in place along a schedule. Private.
#pragma once

#include "array_groups.hpp"

#include <weft/core/buffer.hpp>
#include <weft/detail/collective/combination_runner.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// One rank's part in combining arrays. The elements that a participant keeps in a round are cut into units;
/// a unit is the same elements of all members of the group, combined in pairs, in pairs of pairs, each pair
/// as soon as both are here. The result comes to lie in the array of the participant without a copy: the
/// operator writes to whichever side of a pair has the participant's own elements.
///
/// The order of reads and writes: a participant's elements go out, or take part in a unit, once the units
/// of the round before that cover them are done. Elements that were given away are not read again by their
/// owner; so a unit may use the array of another participant of this rank as its own memory.
///
/// Segments between two ranks are sent in the order of (round, to, element, from): all that the first one
/// that is not sent waits for comes before it, so no two ranks can wait for each other. Segments of at most
/// two to four units of each source have memory here, the first ones in that order, so the first unit that is
/// not complete never waits for memory.
class array_reduction final : public engine {
public:
    /// The arrays, the transport and the operator must outlive the engine.
    array_reduction(transport& via, int tag, array_call const& call, array_operator& how,
        send_mode mode = send_mode::standard);

    /// Pairs are combined by a runner, which must outlive the last step, and not this engine. Before the
    /// first step.
    void combine_by(detail::combination_runner& runner) noexcept { runner_ = &runner; }
    /// The same once more: with what the arrays hold now, under an operator of the same kind. Only after
    /// done.
    void again(array_operator& how, send_mode mode);

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;

    /// The exception of the operator on this rank; messages went on.
    [[nodiscard]] std::exception_ptr thrown() const noexcept { return thrown_; }
    /// The same, once.
    [[nodiscard]] std::exception_ptr take_thrown() noexcept { return std::exchange(thrown_, nullptr); }
    [[nodiscard]] int messages() const noexcept { return static_cast<int>(sends_.size()); }

private:
    /// A member's elements in a unit: those of `width` = 2^height members once they are combined.
    struct part {
        std::byte* data = nullptr; // null: not here
        int height = 0;
        bool own = false; // has the participant's own elements
    };
    struct unit {
        std::size_t owner; // place
        element_range elements;
        std::vector<part> parts;
        std::vector<buffer> memory = {}; // of what came from other ranks
        bool done = false;
    };
    /// A pair that a runner has in hand: both of its parts are not here until then.
    struct pair_in_hand {
        unit* of;
        std::size_t left; // member
        part made;
    };
    /// The units of a round of a participant, segment by segment.
    struct unit_row {
        element_range elements = {};
        std::size_t first = 0; // in `units_`
    };
    /// Elements of a participant of this rank that a unit waits for.
    struct local_part {
        std::size_t unit;
        std::size_t member;
        int round;
        std::size_t from; // place
        std::size_t nth;  // the round among those of that place
    };
    struct outgoing {
        array_segment what;
        int rank = 0;
        std::size_t from = 0; // place
        std::size_t nth = 0;  // the round among those of that place
        request pending = {};
    };
    struct incoming {
        array_segment what;
        std::size_t unit = 0;
        std::size_t member = 0;
        buffer memory = {};
        request pending = {};
    };
    struct source {
        int rank = 0;
        std::vector<incoming> segments = {};
        std::size_t arrived = 0; // all before this one
        std::size_t posted = 0;
        std::vector<std::size_t> held = {}; // units that use, or will use, memory of this source
    };
    /// The segments for one rank, in `sends_`.
    struct target {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t next = 0;
    };

    using rounds_by_place = std::vector<std::vector<array_round>>;

    void plan(array_call const& call);
    void plan_sends(std::size_t place, std::size_t nth, array_round const& now, participants const& who);
    void plan_units(std::size_t place, std::size_t nth, rounds_by_place const& all, participants const& who);
    [[nodiscard]] source& source_of(int rank);
    [[nodiscard]] bool complete(std::size_t place, std::size_t nth, element_range elements) const;
    [[nodiscard]] std::byte* at(std::size_t place, std::size_t element) const noexcept {
        return arrays_[place] + element * element_bytes_;
    }
    void arrive(unit& now, std::size_t member, std::byte* data, bool own);
    void climb(unit& now, std::size_t member);
    [[nodiscard]] bool combine(unit& now, std::size_t left, std::size_t right);
    bool collect(bool idle);
    void finish(unit& now);
    bool take_local();
    bool receive(source& from);
    bool send(target& to);
    [[nodiscard]] bool send_ready();

    transport& via_;
    int tag_;
    array_operator* how_;
    send_mode mode_;
    std::span<std::byte* const> arrays_;
    std::size_t element_bytes_;
    std::size_t segment_;
    std::size_t window_;                      // units of each source that have memory
    std::vector<std::vector<unit_row>> rows_; // by place and round of that place
    std::vector<unit> units_;
    detail::combination_runner* runner_ = nullptr;
    std::vector<pair_in_hand> pairs_; // by number
    std::size_t in_hand_ = 0;         // of them
    std::vector<local_part> all_local_;
    std::vector<local_part> local_; // that units still wait for, in order
    std::vector<source> sources_;
    std::vector<outgoing> sends_;
    std::vector<target> targets_;
    std::vector<buffer> spare_;
    std::size_t units_left_ = 0;
    std::size_t sent_complete_ = 0;
    std::exception_ptr thrown_;
};

} // namespace weft
