/// The order in which the messages arrive that ranks take from any source. Private.
#pragma once

#include "deviations.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace weft {

/// A message that may arrive next.
struct waiting_arrival {
    std::int32_t message = 0; ///< its number by which `deviations` count
    std::int32_t receiver = 0;
    std::int32_t group = 0;
    std::int32_t tag = 0;
    bool joins = false; ///< its receiver looks only when the next message has arrived, which is for it too

    /// Returns true for the same arrival in another run.
    [[nodiscard]] constexpr bool is(waiting_arrival const& other) const noexcept {
        return message == other.message && joins == other.joins;
    }
};

/// A message that arrived in another run already.
struct sleeping_arrival {
    waiting_arrival what;
    bool alone = false; ///< then, handlers of its receiver ran, and no rank began or ended a call
};

/// Returns true if the arrival of `taken`, alone or not, and that of the other one have the same effects in
/// both orders. A call with messages of one group and tag, which both ranks are in, does not end before both
/// have arrived, so no rank but the receiver can notice one of them. After `taken`, `other` can still be seen
/// in one look with a message that does not exist yet, so if it joins, that must be run.
[[nodiscard]] constexpr bool commute(
    sleeping_arrival const& other, waiting_arrival const& taken, bool alone) noexcept {
    return other.alone && alone && !other.what.joins && other.what.receiver != taken.receiver &&
           other.what.group == taken.group && other.what.tag == taken.tag;
}

/// Messages that ranks probe with `any_source` wait here until nothing else can happen; then one arrives.
class arrival_order {
public:
    /// The messages that arrive first, and those that do not arrive next: their order is run elsewhere.
    struct plan {
        std::vector<waiting_arrival> first;
        std::vector<sleeping_arrival> asleep; ///< before the last one of `first` has arrived
        bool may_join = false;                ///< a rank may find several messages at one look
    };
    /// Returns the plan of a run whose order deviations give.
    [[nodiscard]] static plan any() { return {{}, {}, true}; }
    struct step {
        waiting_arrival taken;
        std::int32_t possible = 0; ///< the number of messages that could arrive
        bool alone = false;
    };
    struct any_source_tag {
        std::int32_t group = 0;
        std::int32_t tag = 0;
    };
    /// The arrivals of a run. Plain memory, as it is shared with the process of the run.
    struct record {
        static constexpr std::int32_t most_steps = 10'000;
        static constexpr std::int32_t most_possible = 200'000;
        static constexpr std::int32_t most_tags = 1'000;

        void clear() noexcept;

        std::int32_t steps = 0;
        std::int32_t possible = 0; ///< of all steps
        bool is_truncated = false; ///< the memory was too small
        bool was_here = false;     ///< all that could arrive was asleep, so the run ended
        bool has_strayed = false;  ///< the run could not follow its plan
        bool has_hurried = false;  ///< a message was late no longer, although other things could happen
        bool can_join = false;     ///< several messages waited for one rank
        step all[most_steps];
        waiting_arrival all_possible[most_possible];
        std::int32_t tags = 0; ///< of this run and earlier ones
        any_source_tag any_source[most_tags];
    };

    /// Follows a plan and then arrives in the order of sending. `into` must live as long.
    arrival_order(plan follows, record& into) : plan_(std::move(follows)), record_(into) {}
    /// Notes that a rank has probed this tag with `any_source`.
    static void note_any_source(record& into, int group, int tag) noexcept;
    [[nodiscard]] bool has(int group, int tag) const noexcept;
    /// Adds a message; those of one `channel` stay in order.
    void add(waiting_arrival const& made, std::uint32_t subject, void const* channel);
    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
    struct arrival {
        std::uint32_t subject = 0;
        bool joins = false;
    };
    /// Chooses the next message; nothing if the rest of the run is like that of another run.
    [[nodiscard]] std::optional<arrival> take(deviations& departs);
    /// The receiver of the message that arrived last; negative if there is none.
    [[nodiscard]] int last_receiver() const noexcept;
    /// Reports whether that message arrived alone; called before `take`.
    void tell_of_last(bool alone) noexcept;

private:
    struct message {
        waiting_arrival what;
        std::uint32_t subject;
        void const* channel;
    };
    struct choice {
        std::size_t place = 0; // in `waiting_`
        waiting_arrival what;
    };
    [[nodiscard]] std::vector<std::size_t> heads() const;
    [[nodiscard]] std::vector<choice> choices();
    [[nodiscard]] std::optional<choice> choose(std::vector<choice> const& possible, deviations& departs);
    [[nodiscard]] bool sleeps(waiting_arrival const& what) const noexcept;

    plan plan_;
    record& record_;
    std::vector<message> waiting_; // in the order of sending
    std::int32_t taken_ = 0;
    step last_;
};

} // namespace weft
