/// The times at which messages arrive on a simulated machine whose runs depart from the usual order.
#include "simulated_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace weft {

/// Returns null for messages without an order.
simulated_machine::state::channel* simulated_machine::state::channel_of(simulated_message const& message) {
    switch (message.what) {
    case simulated_message::kind::eager:
    case simulated_message::kind::answered:
    case simulated_message::kind::asked:
        return &channels_[{message.source, message.destination, message.group, message.tag}];
    default:
        return nullptr;
    }
}

/// Schedules a message. Those of one source, group and tag stay in order, as MPI guarantees; others may not.
void simulated_machine::state::travel(std::uint32_t number, double until) {
    if (deviates_ == nullptr) {
        events_.push(until, event_queue::kind::reaches, number);
        return;
    }
    simulated_message& message = all_[number];
    std::int64_t const index = message.index = injected_++;
    while (!held_.empty() && is_over(held_.front().since)) {
        note_hurry();
        release_held();
    }
    channel* const way = channel_of(message);
    if (order_ != nullptr) {
        if (!order_->empty() && is_over(arrived_at_)) {
            note_hurry();
            arrive_in_order();
        }
        if (way != nullptr && order_->has(message.group, message.tag)) {
            if (order_->empty()) arrived_at_ = injected_;
            order_->add({static_cast<std::int32_t>(index), message.destination, message.group, message.tag},
                number, way);
            return;
        }
    }
    std::optional<std::int32_t> const overtaken = deviates_->at(deviation::kind::holds, index);
    if (overtaken || (way != nullptr && way->held > 0)) {
        std::int64_t const waiting = hold(number, overtaken.value_or(0), false);
        if (overtaken) deviates_->tell_of_waiting(waiting);
        if (way != nullptr) ++way->held;
        return;
    }
    until += deviates_->at(deviation::kind::delays, index).value_or(0) *
             network(message.source, message.destination).parameters.latency;
    if (way != nullptr) way->last = until = std::max(until, way->last);
    events_.push(until, event_queue::kind::reaches, number);
}

std::int64_t simulated_machine::state::hold(std::uint32_t number, std::int32_t overtaken, bool is_answer) {
    auto last = held_.begin(); // after the last message of its channel
    channel* const way = is_answer ? nullptr : channel_of(all_[number]);
    if (way != nullptr && way->held > 0)
        last = std::find_if(held_.rbegin(), held_.rend(), [&](held_message const& each) {
            return !each.is_answer && channel_of(all_[each.number]) == way;
        }).base();
    std::int64_t const most = held_.end() - last;
    held_.insert(held_.end() - std::min<std::int64_t>(overtaken, most), {number, injected_ - 1, is_answer});
    return most;
}

bool simulated_machine::state::release_held() {
    if (held_.empty()) return false;
    auto const [number, since, is_answer] = held_.front();
    held_.pop_front();
    // One that was overtaken does not come at the same time.
    if (!held_.empty() && held_.front().since < since) held_.front().since = injected_;
    if (is_answer) {
        events_.push(now_, event_queue::kind::acknowledged, number);
        return true;
    }
    if (channel* const way = channel_of(all_[number])) {
        --way->held;
        way->last = std::max(way->last, now_);
    }
    events_.push(now_, event_queue::kind::reaches, number);
    return true;
}

bool simulated_machine::state::arrive_in_order() {
    if (order_ == nullptr || order_->empty()) return false;
    while (true) {
        if (int const last = order_->last_receiver(); last >= 0)
            order_->tell_of_last(looker_->seen_beside(last) == seen_before_);
        std::optional<arrival_order::arrival> const next = order_->take(*deviates_);
        if (!next) std::_Exit(0); // the stacks of ranks are in use
        arrived_at_ = injected_;
        seen_before_ = looker_->seen_beside(order_->last_receiver());
        if (next->joins) {
            joined_.push_back(next->subject);
            continue;
        }
        joined_by_ = next->subject;
        events_.push(now_, event_queue::kind::reaches, next->subject);
        return true;
    }
}

} // namespace weft
