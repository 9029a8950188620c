/// The future events of a simulated machine, by time. Private.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Events in the order of time; those at the same time are in the order of `push`, so that runs are
/// reproducible. The next ones are known before they happen, so that what they need can be loaded meanwhile.
class event_queue {
public:
    enum class kind : std::uint32_t {
        reaches,      ///< a message arrives at its node
        arrives,      ///< a message arrives at its rank
        acknowledged, ///< the sender learns that a message was matched, or that its bytes are sent
        clear,        ///< the sender learns that a long message may be sent
        looks,        ///< data written to a rank in shared memory have arrived
        wakes,        ///< a rank that was busy polls again
    };

    struct event {
        double time;
        std::uint64_t order;
        kind what;
        std::uint32_t subject; ///< a message, or a rank
    };

    /// The number of next events that are known, if there are as many.
    static constexpr std::size_t most_known = 64;

    void push(double time, kind what, std::uint32_t subject) { push({time, reserve(), what, subject}); }
    /// Returns a place among the events of the same time, for an event that may be pushed later.
    [[nodiscard]] std::uint64_t reserve() noexcept { return order_++; }
    void push(event const& made) {
        if (known_ < most_known && later_.empty()) {
            insert(made);
        } else if (known_ > 0 && is_later(next(known_ - 1), made)) {
            if (known_ == most_known) {
                push_later(next(known_ - 1));
                --known_;
            }
            insert(made);
        } else {
            push_later(made);
        }
    }

    [[nodiscard]] bool empty() const noexcept { return known_ == 0; }
    [[nodiscard]] std::size_t known() const noexcept { return known_; }
    /// The i-th of the known events; 0: that which `pop` returns.
    [[nodiscard]] event const& next(std::size_t i) const noexcept { return ring_[(first_ + i) % places]; }

    event pop() {
        event const first = next(0);
        first_ = (first_ + 1) % places;
        --known_;
        if (!later_.empty()) {
            std::ranges::pop_heap(later_, is_later);
            ring_[(first_ + known_) % places] = later_.back();
            ++known_;
            later_.pop_back();
        }
        return first;
    }

private:
    static constexpr std::size_t places = 128; // a power of two
    static_assert(most_known < places);

    static bool is_later(event const& a, event const& b) noexcept {
        return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
    void push_later(event const& made) {
        later_.push_back(made);
        std::ranges::push_heap(later_, is_later);
    }
    /// Inserts among the known events; new ones are most often among the last.
    void insert(event const& made) noexcept {
        std::size_t at = known_++;
        for (; at > 0 && is_later(next(at - 1), made); --at) ring_[(first_ + at) % places] = next(at - 1);
        ring_[(first_ + at) % places] = made;
    }

    std::array<event, places> ring_; // the known events
    std::size_t first_ = 0;
    std::size_t known_ = 0;
    std::vector<event> later_; // a heap of all others, none of them before a known one
    std::uint64_t order_ = 0;
};

} // namespace weft
