// Fills and hands over the buffers of links: a part of `outgoing_mail`.
#include "outgoing_mail.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace weft {

namespace {

constexpr std::size_t first_buffer = 512; // bytes, if buffers grow

/// Writes a word of the lines that are timed, and waits until all are written.
void write_lines(std::byte* lines) noexcept {
    auto const word = [&](std::size_t line) {
        return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(lines + line * line_bytes));
    };
    for (std::size_t i = 1; i < line_release::timed_lines; ++i) word(i).store(0, std::memory_order_relaxed);
    word(0).exchange(0);
}

} // namespace

bool outgoing_mail::may_take_wire_slot(out_link const& link) const noexcept {
    auto const slot = static_cast<std::int64_t>(sizes_.wire_slot);
    // One message of each class is always allowed: a hop waits only for later hops.
    return wire_bytes_ + slot <= sizes_.wire_bound || wire_slots_[static_cast<int>(link.kind)] == 0;
}

bool outgoing_mail::will_free_a_slot(hop kind) const noexcept {
    return std::ranges::any_of(busy_, [&](int index) {
        out_link const& link = links_[static_cast<std::size_t>(index)];
        return !link.to_ring && link.kind >= kind;
    });
}

void outgoing_mail::take_heap(out_link& link, buffer&& heap, std::size_t counted, bool spilled) {
    out_slot& slot = link.open;
    slot.heap = std::move(heap);
    slot.base = slot.heap.data();
    slot.ring_place = -1;
    slot.spilled = spilled;
    slot.counted = counted;
    if (spilled) {
        spilled_ += static_cast<std::int64_t>(slot.counted);
        sums_.spilled_bytes = std::max(sums_.spilled_bytes, spilled_);
    } else {
        wire_bytes_ += static_cast<std::int64_t>(slot.counted);
        ++wire_slots_[static_cast<int>(link.kind)];
    }
}

void outgoing_mail::grow_buffer(out_link& link, std::size_t bytes) {
    out_slot& slot = link.open;
    std::size_t size = slot.heap.size();
    if (bytes <= size) return;
    while (size < bytes) size *= 2;
    buffer larger(std::min(size, link.slot_bytes));
    std::size_t const used = slot.bytes();
    std::memcpy(larger.data(), slot.base, used);
    std::byte* const before = std::exchange(slot.base, larger.data());
    auto const move = [&](std::byte*& at) { at = slot.base + (at - before); };
    for (std::uint32_t const index : link.open_places) {
        move(cursors_[index].next);
        move(cursors_[index].end);
        if (backs_[index].run != nullptr) move(backs_[index].run);
    }
    slot.used = slot.base + used;
    slot.end = slot.base + link.slot_bytes;
    slot.heap = std::move(larger);
}

bool outgoing_mail::extend_chunk(std::size_t index, std::size_t bytes) {
    cursor& at = cursors_[index];
    cursor_back const& back = backs_[index];
    out_link& link = links_[static_cast<std::size_t>(back.link)];
    if (link.pooled || link.to_ring || link.open.heap.empty() || at.end != link.open.used) return false;
    auto const needed = static_cast<std::size_t>(at.next - link.open.base) + bytes;
    if (needed > back.chunk_end) return false;
    grow_buffer(link, needed);
    at.end = link.open.used = link.open.base + std::min<std::size_t>(back.chunk_end, link.open.heap.size());
    return true;
}

bool outgoing_mail::open(out_link& link, bool may_spill) {
    out_slot& slot = link.open;
    if (!link.listed_open) open_.push_back(static_cast<int>(&link - links_.data()));
    link.listed_open = true; // first: a buffer that is on no list would never be handed over
    if (link.to_ring) {
        int const place = link.waiting.empty() ? link.to_ring->free_place() : -1;
        if (place >= 0) {
            slot.base = link.to_ring->slot(place);
            if (link.lines.should_time(place)) {
                double const start = via_.seconds();
                write_lines(slot.base);
                link.lines.take(via_.seconds() - start);
            }
            slot.ring_place = place;
            slot.spilled = false;
        } else if (may_spill) {
            take_heap(link, ring_pool_.take(), link.slot_bytes, true);
        } else {
            return false;
        }
    } else {
        // mutant: mail_waits_for_buffers_that_nothing_frees
        if (!may_take_wire_slot(link) && !will_free_a_slot(link.kind)) hand_over_fullest();
        bool const fits = may_take_wire_slot(link);
        if (!fits && !may_spill) return false;
        take_heap(link, grows_ ? buffer(std::min(first_buffer, link.slot_bytes)) : wire_pool_.take(),
            link.slot_bytes, !fits);
    }
    slot.channels = 0;
    slot.used = slot.base + sizeof(slot_head);
    slot.end = slot.base + link.slot_bytes; // if the buffer grows, its end when full
    return true;
}

void outgoing_mail::close_holes(out_slot& slot) noexcept {
    std::byte* to = slot.base + sizeof(slot_head);
    for (std::byte* from = to; from < slot.used;) {
        run_head const head = read_head(from);
        std::size_t const bytes = sizeof head + run_aligned(head.bytes);
        if (head.how != delivery::nobody) {
            if (to != from) std::memmove(to, from, bytes);
            to += bytes;
        }
        from += bytes;
    }
    slot.used = to;
}

slot_head outgoing_mail::head_of_slot(std::uint32_t channels) const noexcept {
    return {channels, end_.phase(), channels_.print_of(channels)};
}

void outgoing_mail::hand_over(out_link& link) {
    for (std::uint32_t const index : link.open_places) {
        close_chunk(link, index);
        backs_[index].next_chunk = first_chunk(link);
    }
    link.open_places.clear();
    out_slot& slot = link.open;
    slot_head const head = head_of_slot(slot.channels);
    std::memcpy(slot.base, &head, sizeof head);
    if (slot.bytes() == sizeof head) { // no run was written
        release(link, slot);
    } else if (slot.ring_place >= 0) {
        publish(link, slot.ring_place, slot.bytes());
    } else {
        if (!link.to_ring && !link.one_place) close_holes(slot);
        give_message(link);
    }
    slot.base = nullptr;
    handed_over_ = true;
    if (!link.waiting.empty()) push(link);
}

void outgoing_mail::give_message(out_link& link) {
    // mutant: mail_overtakes_what_waits
    if (!link.listed_busy) busy_.push_back(static_cast<int>(&link - links_.data()));
    link.listed_busy = true;
    link.waiting.push_back(std::move(link.open));
}

void outgoing_mail::hand_over_fullest() {
    out_link* fullest = nullptr;
    for (int const index : open_) {
        out_link& link = links_[static_cast<std::size_t>(index)];
        if (link.open.base == nullptr || link.to_ring) continue;
        if (fullest == nullptr || link.open.bytes() > fullest->open.bytes()) fullest = &link;
    }
    if (fullest != nullptr) hand_over(*fullest);
}

bool outgoing_mail::is_idle(out_link const& link) const noexcept {
    if (!link.waiting.empty() || !link.flights.empty()) return false;
    return !link.to_ring || link.to_ring->is_empty();
}

std::size_t outgoing_mail::filled_bytes(out_link const& link) const noexcept {
    std::size_t bytes = link.pooled ? link.held : link.open.bytes();
    for (std::uint32_t const index : link.open_places)
        bytes -= static_cast<std::size_t>(cursors_[index].end - cursors_[index].next);
    return bytes;
}

void outgoing_mail::describe_wait(std::string& into) const {
    for (out_link const& link : links_) {
        std::size_t const held = link.waiting.size() + link.flights.size();
        bool const unread = link.to_ring && !link.to_ring->is_empty();
        if (held == 0 && !unread) continue;
        into += held > 0 ? std::to_string(held) + " buffers to rank " : "buffers in shared memory to rank ";
        into += std::to_string(link.peer) + ", which has not taken them; ";
    }
}

bool outgoing_mail::hand_over_idle(std::size_t at_least) {
    bool any = !pooled_.empty() && hand_over_idle_of_pool(at_least);
    std::erase_if(open_, [&](int index) {
        out_link& link = links_[static_cast<std::size_t>(index)];
        if (link.open.base != nullptr) {
            if (!is_idle(link) || (at_least > 0 && filled_bytes(link) < at_least)) return false;
            hand_over(link);
            any = true;
        }
        link.listed_open = false;
        return true;
    });
    return any;
}

void outgoing_mail::flush(std::size_t place) {
    std::size_t const index = place & last_cursor();
    if (cursors_[index].place != place) return;
    out_link& link = links_[static_cast<std::size_t>(backs_[index].link)];
    if (!link.pooled) {
        if (link.open.base != nullptr) hand_over(link);
        return;
    }
    shares_of_wire ahead = shares_now();
    if (link.held > 0 && let_go(link, ahead, false)) send_leaving();
}

void outgoing_mail::lend(std::size_t bytes, bool spilled) noexcept {
    (spilled ? spilled_ : wire_bytes_) += static_cast<std::int64_t>(bytes);
    sums_.spilled_bytes = std::max(sums_.spilled_bytes, spilled_);
}

void outgoing_mail::take_back(std::size_t bytes, bool spilled) noexcept {
    (spilled ? spilled_ : wire_bytes_) -= static_cast<std::int64_t>(bytes);
    std::ranges::fill(pool_is_stuck_, false);
}

} // namespace weft
