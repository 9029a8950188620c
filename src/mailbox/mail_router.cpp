#include "mail_router.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace weft {

mail_router::mail_router(transport& via, mail_setup const& setup, channel_list const& channels,
    phase_end& end, outgoing_mail& out, long_transfers& longs)
    : via_(via), setup_(setup), channels_(channels), end_(end), out_(out), longs_(longs), rank_(via.rank()) {
}

bool mail_router::may_read(std::byte const* slot) const {
    slot_head head;
    std::memcpy(&head, slot, sizeof head);
    bool const is_later = static_cast<std::int32_t>(head.phase - end_.phase()) > 0;
    // mutant: mail_of_the_next_phase_is_read
    return !is_later;
}

bool mail_router::has_other_channels(slot_head const& sender) const noexcept {
    // mutant: mail_for_other_channels_is_read
    return sender.channels <= channels_.size() && sender.print != channels_.print_of(sender.channels);
}

std::int64_t mail_router::early_bound() const noexcept {
    return std::max<std::int64_t>(setup_.sizes.spill_bound, 65536);
}

bool mail_router::work_off_early() {
    bool any = false;
    while (!early_.empty()) {
        auto now = early_.take(channels_.size()); // removed first: a handler that waits may come here again
        if (!now) break;
        known_ = std::max(known_, now->channel + 1);
        if (!work_off(now->slot)) {
            early_.put_back(std::move(*now));
            break;
        }
        any = true;
    }
    known_ = early_.lowest_channel(channels_.size());
    return any;
}

bool mail_router::keep_early(
    slot_head const& sender, run_head const& head, std::span<std::byte const> whole) {
    if (early_.bytes() < early_bound()) {
        auto const run = whole.subspan(sizeof head);
        // mutant: mail_for_channels_to_come_is_lost
        early_.add(sender, head.channel, whole,
            long_transfers::is_announcement(head, run) ? long_transfers::bytes_in(run) : 0);
        return true;
    }
    // If its channel exists, the run only waits until earlier runs have room to be passed on.
    if (!end_.drains() || head.channel < channels_.size()) return false;
    // A rank that drains has made all its channels, so the others have more. All ranks learn this when this
    // rank votes.
    end_.lose_early_messages();
    if (auto const run = whole.subspan(sizeof head); long_transfers::is_announcement(head, run))
        longs_.refuse(head.source, run);
    return true;
}

void mail_router::refuse_long_messages(in_slot const& slot) {
    for (std::size_t at = slot.at; at < slot.bytes;) {
        run_head const head = read_head(slot.data + at);
        std::span const run(slot.data + at + sizeof head, head.bytes);
        if (long_transfers::is_announcement(head, run)) longs_.refuse(head.source, run);
        at += sizeof head + run_aligned(head.bytes);
    }
}

bool mail_router::work_off(in_slot& slot) {
    slot_head sender;
    std::memcpy(&sender, slot.data, sizeof sender);
    if (has_other_channels(sender)) [[unlikely]] {
        // No handler may see this buffer. It is dropped so that its sender reaches the wave that reports the
        // error.
        refuse_long_messages(slot);
        slot.at = slot.bytes;
        return true;
    }
    while (slot.at < slot.bytes) {
        run_head const head = read_head(slot.data + slot.at);
        std::span const run(slot.data + slot.at + sizeof head, head.bytes);
        std::size_t const next = slot.at + sizeof head + run_aligned(head.bytes);
        bool const is_for_this_rank = head.how == delivery::to_rank && head.destination == rank_;
        bool const is_announced = is_for_this_rank && long_transfers::is_announcement(head, run);
        if (is_announced && !longs_.ask(head.source, run)) return false;
        if (head.channel >= known_) [[unlikely]] {
            if (!keep_early(sender, head, {slot.data + slot.at, next - slot.at})) return false;
            slot.at = next;
            continue;
        }
        // mutant: mail_overtakes_long_messages
        if (is_announced && !longs_.has_come(head.source, run)) return false;
        if (is_for_this_rank) {
            slot.at = next; // set first: a handler that waits may let others continue here
            deliver(head, run);
            continue;
        }
        if (!pass(slot, head, run)) return false;
        if (head.how == delivery::to_node) continue; // `pass` has moved on; other readers may have, too
        slot.at = next;
        slot.done = 0;
    }
    return true;
}

bool mail_router::pass(in_slot& slot, run_head const& head, std::span<std::byte const> run) {
    switch (head.how) {
    case delivery::to_rank:
        return pass_on(slot, head, run);
    case delivery::to_node:
        return pass_to_node(slot, head, run);
    case delivery::by_core:
        return pass_to_nodes(slot, head, run);
    case delivery::nobody:
        break;
    }
    return true;
}

template <class Handle, class Drop, class Count>
void mail_router::guarded(run_head const& head, Handle&& handle, Drop&& drop, Count&& count) {
    mail_channel& channel = channels_[head.channel];
    ++depth_;
    ++mail_handlers_here;
    std::int64_t handled = -1;
    try {
        if (end_.has_failed()) { // messages after an error are received and dropped
            // mutant: mail_that_is_dropped_is_not_counted
            drop(channel);
        } else {
            timeline_callback const recorded(
                channel.calls_user_code ? setup_.lane : nullptr, "handler", head.channel);
            handled = handle(channel);
        }
    } catch (...) {
        end_.fail(std::current_exception(), "in a handler of channel " + std::to_string(head.channel) + ": ");
    }
    --mail_handlers_here;
    --depth_;
    end_.counts().handled(handled < 0 ? count(channel) : handled);
}

void mail_router::deliver(run_head const& head, std::span<std::byte const> run) {
    if (!head.piece) {
        guarded(
            head, [&](mail_channel& channel) { return channel.handle(head.source, run); },
            [&](mail_channel& channel) { channel.drop(head.source, run); },
            [&](mail_channel const& channel) { return channel.count(run); });
    } else if (auto message = long_transfers::is_announcement(head, run)
                                  ? std::optional(longs_.take(head.source, run))
                                  : pieces_.take(head.source, run)) {
        auto const one = [](mail_channel const&) { return std::int64_t{1}; };
        guarded(
            head,
            [&](mail_channel& channel) {
                channel.take_long(head.source, std::move(*message));
                return one(channel);
            },
            [&](mail_channel& channel) { channel.drop(head.source, std::as_const(*message).bytes()); }, one);
    }
}

bool mail_router::append(
    std::size_t place, delivery how, run_head const& head, std::span<std::byte const> run) {
    int const source = channels_[head.channel].tells_source || head.piece ? head.source : rank_;
    run_part const part = head.piece ? run_part::piece : run_part::whole;
    // mutant: mail_that_passes_through_is_counted_again
    std::byte* const room = out_.try_room(
        place, run_key(head.channel, how, part, source, run_origin::forwarded), run.size(), false);
    if (room == nullptr) return false;
    std::memcpy(room, run.data(), run.size());
    out_.cursor_at(place).next += run.size();
    if (long_transfers::is_announcement(head, run)) out_.flush(place); // its sender waits
    forwarded_bytes_ += static_cast<std::int64_t>(run.size());
    via_.account_copy(run.size());
    return true;
}

bool mail_router::pass_on(in_slot& slot, run_head const& head, std::span<std::byte const> run) {
    mail_channel& channel = channels_[head.channel];
    if (!channel.combines || head.piece)
        return append(static_cast<std::size_t>(head.destination), delivery::to_rank, head, run);
    std::size_t const taken = channel.pass_on(head.destination, run.subspan(slot.done));
    // mutant: mail_combined_on_its_way_is_not_handled
    end_.counts().handled(channel.count(run.subspan(slot.done, taken)));
    slot.done += taken;
    return slot.done == run.size();
}

bool mail_router::pass_to_node(in_slot& slot, run_head const& head, std::span<std::byte const> run) {
    auto const ranks = setup_.nodes->ranks_of(setup_.nodes->node());
    for (; slot.done < ranks.size(); ++slot.done) {
        int const rank = ranks[slot.done];
        // mutant: mail_to_a_node_comes_twice_to_who_receives_it
        if (rank == rank_) continue;
        if (!append(static_cast<std::size_t>(rank), delivery::to_rank, head, run)) return false;
    }
    slot.at += sizeof head + run_aligned(head.bytes); // set first, as in `work_off`
    slot.done = 0;
    deliver(head, run);
    return true;
}

bool mail_router::pass_to_nodes(in_slot& slot, run_head const& head, std::span<std::byte const> run) {
    auto const nodes = static_cast<std::size_t>(setup_.nodes->node_count());
    // mutant: mail_broadcasts_skip_the_last_node
    for (; slot.done < nodes; ++slot.done) {
        std::size_t const place = out_.place_of_node(static_cast<int>(slot.done));
        if (out_.has_link(place) && !append(place, delivery::to_node, head, run)) return false;
    }
    return true;
}

} // namespace weft
