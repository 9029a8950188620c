/// The future events of a simulated machine, by time. Private.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft {

/// A heap of events. Events at the same time are in the order of `push`, so that runs are reproducible.
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

    void push(double time, kind what, std::uint32_t subject) {
        heap_.push_back({time, order_++, what, subject});
        std::ranges::push_heap(heap_, later);
    }

    [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }

    event pop() {
        std::ranges::pop_heap(heap_, later);
        event const first = heap_.back();
        heap_.pop_back();
        return first;
    }

private:
    static bool later(event const& a, event const& b) noexcept {
        return a.time != b.time ? a.time > b.time : a.order > b.order;
    }

    std::vector<event> heap_;
    std::uint64_t order_ = 0;
};

} // namespace weft
