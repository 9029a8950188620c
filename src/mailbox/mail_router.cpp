#include "mail_router.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace weft {

namespace {

/// Places in the maxima of a wave.
namespace vote_slot {
constexpr std::size_t print = 1;       ///< of the channels
constexpr std::size_t least_print = 2; ///< complemented
} // namespace vote_slot

std::span<std::byte* const> census_lines(mail_setup const& setup) {
    return setup.memory.parts(); // a rank's part begins with them
}

} // namespace

mail_engine::router::router(mail_engine& mail, transport& through, mail_setup&& given)
    : mail_(mail),
      via(through),
      setup(std::move(given)),
      counts(via, *setup.nodes, setup.control_tag, census_lines(setup)),
      out(via, setup, own_part(), channels, prints, counts, phase),
      in(via, setup, own_part(), *this) {
}

std::byte* mail_engine::router::own_part() {
    if (setup.memory) return setup.memory.parts()[static_cast<std::size_t>(setup.nodes->core())];
    if (own_memory.empty()) {
        own_memory.resize(setup.sizes.shared_bytes());
        std::memset(own_memory.data(), 0, own_memory.size());
    }
    return own_memory.data();
}

bool mail_engine::router::may_read(std::byte const* slot) const {
    slot_head head;
    std::memcpy(&head, slot, sizeof head);
    bool const is_later = static_cast<std::int32_t>(head.phase - phase) > 0;
    return !is_later;
}

bool mail_engine::router::has_other_channels(slot_head const& sender) const noexcept {
    return sender.channels < prints.size() && sender.print != prints[sender.channels];
}

thread_local constinit int mail_handlers_here = 0;

inline progress mail_engine::router::advance_or_throw() {
    bool any = work_off_early();
    if (in.receive() == progress::some) any = true;
    if (out.push() == progress::some) any = true;
    return any ? progress::some : progress::none;
}

progress mail_engine::router::advance() {
    if (lost) return progress::none;
    try {
        return advance_or_throw();
    } catch (mpi_error const&) { throw; } catch (std::exception const&) {
        lost = std::current_exception();
    }
    return progress::some;
}

bool mail_engine::router::work_off_early() {
    bool any = false;
    while (!early.empty()) {
        auto now = early.take(channels.size()); // before: a handler that waits may come here again
        if (!now) break;
        known = std::max(known, now->channel + 1);
        if (!work_off(now->slot)) {
            early.put_back(std::move(*now));
            break;
        }
        any = true;
    }
    known = early.lowest_channel(channels.size());
    return any;
}

bool mail_engine::router::keep_early(
    slot_head const& sender, run_head const& head, std::span<std::byte const> whole) {
    if (early.bytes() < early_bound()) {
        early.add(sender, head.channel, whole);
        return true;
    }
    // A rank that drains has made its channels: the others have more, and all will learn it when this rank
    // votes.
    early_lost = early_lost || mail_.drains_;
    return mail_.drains_;
}

bool mail_engine::router::work_off(in_slot& slot) {
    slot_head sender;
    std::memcpy(&sender, slot.data, sizeof sender);
    if (has_other_channels(sender)) [[unlikely]] {
        // No handler may see it. It goes, so that its sender gets on, to where the wave tells all ranks.
        slot.at = slot.bytes;
        return true;
    }
    while (slot.at < slot.bytes) {
        run_head const head = read_head(slot.data + slot.at);
        std::span const run(slot.data + slot.at + sizeof head, head.bytes);
        std::size_t const next = slot.at + sizeof head + run_aligned(head.bytes);
        if (head.channel >= known) [[unlikely]] {
            if (!keep_early(sender, head, {slot.data + slot.at, next - slot.at})) return false;
            slot.at = next;
            continue;
        }
        bool const is_for_this_rank = head.how == delivery::to_rank && head.destination == mail_.rank_;
        if (is_for_this_rank) {
            slot.at = next; // before: a handler that waits may let others go on here
            deliver(head, run);
            continue;
        }
        if (!pass(slot, head, run)) return false;
        if (head.how == delivery::to_node) continue; // has moved on by itself, and others perhaps after it
        slot.at = next;
        slot.done = 0;
    }
    return true;
}

bool mail_engine::router::pass(in_slot& slot, run_head const& head, std::span<std::byte const> run) {
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
void mail_engine::router::guarded(run_head const& head, Handle&& handle, Drop&& drop, Count&& count) {
    mail_channel& channel = *channels[head.channel];
    ++mail_.depth_;
    ++mail_handlers_here;
    std::int64_t handled = -1;
    try {
        if (thrown) { // what comes after is received all the same, and dropped
            drop(channel);
        } else {
            timeline_callback const recorded(
                channel.calls_user_code ? setup.lane : nullptr, "handler", head.channel);
            handled = handle(channel);
        }
    } catch (...) {
        if (!thrown) { // a handler inside of it may have been the first
            thrown = std::current_exception();
            where_thrown = "in a handler of channel " + std::to_string(head.channel) + ": ";
        }
    }
    --mail_handlers_here;
    --mail_.depth_;
    counts.handled(handled < 0 ? count(channel) : handled);
}

void mail_engine::router::deliver(run_head const& head, std::span<std::byte const> run) {
    if (!head.piece) {
        guarded(
            head, [&](mail_channel& channel) { return channel.handle(head.source, run); },
            [&](mail_channel& channel) { channel.drop(head.source, run); },
            [&](mail_channel const& channel) { return channel.count(run); });
    } else if (auto const message = pieces.take(head.source, run)) {
        auto const one = [](mail_channel const&) { return std::int64_t{1}; };
        guarded(
            head,
            [&](mail_channel& channel) {
                channel.handle_long(head.source, message->bytes());
                return one(channel);
            },
            [](mail_channel&) {}, one);
    }
}

bool mail_engine::router::append(
    std::size_t place, delivery how, run_head const& head, std::span<std::byte const> run) {
    int const source = channels[head.channel]->tells_source || head.piece ? head.source : mail_.rank_;
    run_part const part = head.piece ? run_part::piece : run_part::whole;
    std::byte* const room = out.try_room(
        place, run_key(head.channel, how, part, source, run_origin::forwarded), run.size(), false);
    if (room == nullptr) return false;
    std::memcpy(room, run.data(), run.size());
    mail_.cursor_at(place).next += run.size();
    forwarded_bytes += static_cast<std::int64_t>(run.size());
    via.account_copy(run.size());
    return true;
}

bool mail_engine::router::pass_on(in_slot& slot, run_head const& head, std::span<std::byte const> run) {
    mail_channel& channel = *channels[head.channel];
    if (!channel.combines || head.piece)
        return append(static_cast<std::size_t>(head.destination), delivery::to_rank, head, run);
    std::size_t const taken = channel.pass_on(head.destination, run.subspan(slot.done));
    counts.handled(channel.count(run.subspan(slot.done, taken)));
    slot.done += taken;
    return slot.done == run.size();
}

bool mail_engine::router::pass_to_node(in_slot& slot, run_head const& head, std::span<std::byte const> run) {
    auto const ranks = setup.nodes->ranks_of(setup.nodes->node());
    for (; slot.done < ranks.size(); ++slot.done) {
        int const rank = ranks[slot.done];
        if (rank == mail_.rank_) continue;
        if (!append(static_cast<std::size_t>(rank), delivery::to_rank, head, run)) return false;
    }
    slot.at += sizeof head + run_aligned(head.bytes); // before, as in `work_off`
    slot.done = 0;
    deliver(head, run);
    return true;
}

bool mail_engine::router::pass_to_nodes(in_slot& slot, run_head const& head, std::span<std::byte const> run) {
    auto const nodes = static_cast<std::size_t>(setup.nodes->node_count());
    for (; slot.done < nodes; ++slot.done) {
        std::size_t const place = out.place_of_node(static_cast<int>(slot.done));
        if (out.has_link(place) && !append(place, delivery::to_node, head, run)) return false;
    }
    return true;
}

bool mail_engine::router::nothing_held() const noexcept {
    return std::ranges::none_of(combining, [](mail_channel const* each) { return each->holds_any(); });
}

bool mail_engine::router::release_all() {
    bool any = false;
    for (mail_channel* const channel : channels)
        if (channel->combines && channel->release_held()) any = true;
    return out.hand_over_idle() || any;
}

progress mail_engine::router::terminate(bool idle) {
    if (comparison) {
        progress const now = comparison->step();
        if (now != progress::done) return now;
        try {
            comparison->rethrow();
        } catch (...) { misuse = std::current_exception(); }
        if (!misuse)
            misuse =
                std::make_exception_ptr(usage_error("mailbox: messages came for a channel that a rank had "
                                                    "not made when it drained; all ranks must make their "
                                                    "channels before"));
        comparison.reset();
        quiet = true;
        return progress::some;
    }
    if (verdict) {
        progress const now = verdict->step();
        if (now != progress::done) return now;
        quiet = true;
        return progress::some;
    }
    if (mail_.drains_ && !quiet && !counts.voted() && idle && in.nothing_to_read() && !has_early_work() &&
        nothing_held() && out.nothing_open()) {
        ballot.max[census_slot::failed] = thrown ? mail_.size_ - mail_.rank_ : 0;
        auto const print = early_lost ? 0 : static_cast<std::int64_t>(prints.back());
        ballot.max[vote_slot::print] = print;
        ballot.max[vote_slot::least_print] = ~print;
        counts.vote(ballot);
    }
    return ends_wave() ? progress::some : progress::none;
}

bool mail_engine::router::ends_wave() {
    if (!counts.voted() || counts.step() != progress::done) return false;
    end_wave();
    return true;
}

bool mail_engine::router::let_waves_go() {
    bool over = counts.let_go();
    if (verdict) over = verdict->let_go() && over;
    if (comparison) over = comparison->let_go() && over;
    return over;
}

void mail_engine::router::end_wave() {
    census_value const& all = counts.result();
    if (all.max[vote_slot::print] != ~all.max[vote_slot::least_print]) {
        // Messages of what not all know may wait for ever.
        comparison.emplace(via, setup.control_tag, channels);
        return;
    }
    if (!counts.quiet()) return;
    sent_at_quiet = counts.sent();
    if (all.max[census_slot::failed] == 0) {
        quiet = true;
        return;
    }
    verdict.emplace(via, setup.control_tag, census_method::dissemination);
    verdict->enter_known(mail_.size_ - static_cast<int>(all.max[census_slot::failed]), thrown, where_thrown);
}

} // namespace weft
