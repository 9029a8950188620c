// Sends full buffers of a link to the next rank: a part of `outgoing_mail`.
#include "outgoing_mail.hpp"

#include <weft/detail/core/prefetch.hpp>

#include <algorithm>
#include <cstring>

namespace weft {

void outgoing_mail::release(out_link const& link, out_slot& slot) {
    if (slot.ring_place >= 0) return;
    auto const bytes = static_cast<std::int64_t>(slot.counted);
    if (slot.spilled) {
        spilled_ -= bytes;
    } else {
        wire_bytes_ -= bytes;
        --wire_slots_[static_cast<int>(link.kind)];
    }
    if (link.pooled || (grows_ && !link.to_ring)) {
        std::ranges::fill(pool_is_stuck_, false);
        slot.heap = buffer();
        return;
    }
    (link.to_ring ? ring_pool_ : wire_pool_).give_back(std::move(slot.heap));
}

bool outgoing_mail::finish_flights(out_link& link) {
    return std::erase_if(link.flights, [&](out_link::flight& each) {
        if (!via_.test(each.pending)) return false;
        release(link, each.slot);
        return true;
    }) != 0;
}

void outgoing_mail::prefetch(int stage) const noexcept {
    if (stage == 0) {
        detail::prefetch(&sizes_, sizeof sizes_);
        detail::prefetch(&links_, sizeof(std::vector<out_link>));
        detail::prefetch(&open_, 2 * sizeof(std::vector<int>) + sizeof(std::int64_t)); // to `wire_bytes_`
        return;
    }
    if (stage == 1) {
        detail::prefetch(busy_.data(), busy_.empty() ? 0 : sizeof(int));
        detail::prefetch(open_.data(), open_.empty() ? 0 : sizeof(int));
        return;
    }
    for (int const each : busy_) detail::prefetch(&links_[static_cast<std::size_t>(each)], sizeof(out_link));
}

void outgoing_mail::finish_flights() {
    for (out_link& link : links_) finish_flights(link);
}

std::size_t outgoing_mail::flights_of_link() const noexcept {
    constexpr std::size_t least = 2;
    auto const buffers = static_cast<std::size_t>(sizes_.wire_bound) / sizes_.wire_slot / 2;
    return std::max(least, buffers / std::max<std::size_t>(busy_.size(), 1));
}

void outgoing_mail::publish(out_link& link, int place, std::size_t bytes) {
    link.to_ring->publish(place, bytes, link.lines.publish(place, bytes));
    via_.account_write(link.peer, bytes);
    ++sums_.ring_buffers;
    sums_.ring_bytes += static_cast<std::int64_t>(bytes);
}

bool outgoing_mail::push(out_link& link) {
    bool any = finish_flights(link);
    while (!link.waiting.empty()) {
        out_slot& slot = link.waiting.front();
        if (link.to_ring) {
            int const place = link.to_ring->free_place();
            if (place < 0) break;
            std::memcpy(link.to_ring->slot(place), slot.base, slot.bytes());
            publish(link, place, slot.bytes());
            release(link, slot);
        } else {
            if (link.flights.size() >= flights_of_link()) break;
            if (link.flights.size() == link.flights.capacity()) // MPI must not lose what it sends
                link.flights.reserve(2 * link.flights.size() + 2);
            request const pending = via_.send(link.peer, tags_[static_cast<int>(link.kind)],
                {slot.base, slot.bytes()}, send_mode::synchronous);
            auto const bytes = static_cast<std::int64_t>(slot.bytes());
            ++sums_.wire_buffers;
            sums_.wire_bytes += bytes;
            sums_.between_buffers += link.kind == hop::between ? 1 : 0;
            sums_.between_bytes += link.kind == hop::between ? bytes : 0;
            link.flights.push_back({pending, std::move(slot)});
        }
        link.waiting.pop_front();
        any = true;
    }
    return any;
}

progress outgoing_mail::push() {
    bool any = false;
    std::erase_if(busy_, [&](int index) {
        out_link& link = links_[static_cast<std::size_t>(index)];
        if (push(link)) any = true;
        // mutant: mail_forgets_its_flights
        link.listed_busy = !link.waiting.empty() || !link.flights.empty();
        return !link.listed_busy;
    });
    return any ? progress::some : progress::none;
}

bool outgoing_mail::at_rest() const noexcept {
    return std::ranges::all_of(links_, [](out_link const& link) { return link.flights.empty(); });
}

bool outgoing_mail::all_taken() const noexcept {
    return busy_.empty() && std::ranges::all_of(links_, [](out_link const& link) {
        return !link.to_ring || link.to_ring->is_empty();
    });
}

void outgoing_mail::add_to(mailbox_counters& sums) const noexcept {
    sums.ring_buffers = sums_.ring_buffers;
    sums.ring_bytes = sums_.ring_bytes;
    sums.wire_buffers = sums_.wire_buffers;
    sums.wire_bytes = sums_.wire_bytes;
    sums.between_buffers = sums_.between_buffers;
    sums.between_bytes = sums_.between_bytes;
    sums.spilled_bytes = sums_.spilled_bytes;
}

} // namespace weft
