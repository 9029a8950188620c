// In one file: one invariant of cursors, open buffers and bounds over all functions.
#include "outgoing_mail.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace weft {

outgoing_mail::outgoing_mail(transport& via, mail_setup const& setup, std::byte* own_part,
    channel_list const& channels, phase_end& end)
    : via_(via),
      nodes_(*setup.nodes),
      channels_(channels),
      end_(end),
      sizes_(setup.sizes),
      shared_(setup.memory.parts()),
      own_part_(own_part),
      ways_(nodes_, via_.rank(), setup.how),
      tags_{setup.tags[0], setup.tags[1], setup.tags[2]},
      ring_pool_(setup.sizes.ring_slot),
      wire_pool_(setup.sizes.wire_slot),
      pool_(setup.sizes.pool_bytes, setup.sizes.wire_slot) {
    bool const several_nodes = nodes_.node_count() > 1;
    auto const cores = nodes_.ranks_of(nodes_.node());
    // Runs pass from buffers of one kind to those of the other, also of a rank that itself has one kind
    // alone.
    bool const rings_alone = !several_nodes && (setup.memory || nodes_.largest_node() == 1);
    std::size_t const shortest =
        rings_alone ? sizes_.ring_slot : std::min(sizes_.ring_slot, sizes_.wire_slot);
    longest_run_ = shortest - sizeof(slot_head) - sizeof(run_head);
    std::size_t const places = several_nodes ? place_of_core(0) + cores.size() : place_of_node(0);
    cursors_.resize(std::min(std::bit_ceil(places), setup.cursors));
    backs_.resize(cursors_.size());
    if (!several_nodes || setup.how != route::nlnr) return;
    served_.resize(cores.size());
    for (int node = 0; node < nodes_.node_count(); ++node)
        if (node != nodes_.node())
            served_[static_cast<std::size_t>(nodes_.core_of(ways_.gate_to_all_of(node)))] +=
                static_cast<std::int64_t>(nodes_.ranks_of(node).size());
}

std::size_t outgoing_mail::place_of_node(int node) const noexcept {
    return static_cast<std::size_t>(via_.size() + node);
}

std::size_t outgoing_mail::place_of_core(int core) const noexcept {
    return static_cast<std::size_t>(via_.size() + nodes_.node_count() + core);
}

bool outgoing_mail::has_link(std::size_t place) const noexcept {
    if (place < place_of_node(0)) return true;
    if (place >= place_of_core(0)) {
        std::size_t const core = place - place_of_core(0);
        return core < served_.size() && served_[core] > 0 && static_cast<int>(core) != nodes_.core();
    }
    // Under nlnr one core serves a node; under the others this rank has a peer everywhere.
    int const node = static_cast<int>(place - place_of_node(0));
    return node != nodes_.node() && ways_.gate_to_all_of(node) == via_.rank();
}

outgoing_mail::next_stop outgoing_mail::stop_of(std::size_t place) const noexcept {
    if (place >= place_of_core(0))
        return {nodes_.ranks_of(nodes_.node())[place - place_of_core(0)], hop::gather};
    if (place >= place_of_node(0))
        return {ways_.peer_on(static_cast<int>(place - place_of_node(0))), hop::between};
    int const rank = static_cast<int>(place);
    int const next = ways_.next_hop(rank);
    bool const next_is_here = nodes_.node_of(next) == nodes_.node();
    return {next, !next_is_here ? hop::between : next == rank ? hop::deliver : hop::gather};
}

int outgoing_mail::link_to(next_stop where) {
    auto const rank = static_cast<std::uint64_t>(where.peer);
    std::uint64_t const name = 2 * rank + (where.kind == hop::gather ? 1 : 0);
    auto const [found, is_new] = link_of_.try_emplace(name, static_cast<int>(links_.size()));
    if (is_new) links_.push_back(make_link(where));
    return found->second;
}

out_link outgoing_mail::make_link(next_stop where) const {
    bool const is_own = where.peer == via_.rank();
    bool const shares = where.kind != hop::between && (!shared_.empty() || is_own);
    out_link link;
    link.peer = where.peer;
    link.kind = where.kind;
    link.pooled = !shares && sizes_.pool_bytes > 0;
    link.slot_bytes = shares ? sizes_.ring_slot : sizes_.wire_slot;
    if (shares) {
        auto const core = static_cast<std::size_t>(nodes_.core_of(where.peer));
        std::byte* const part = shared_.empty() ? own_part_ : shared_[core];
        int const sender = shared_.empty() ? 0 : nodes_.core();
        link.to_ring.emplace(ring_at(part, sizes_, where.kind == hop::gather ? 1 : 0, sender));
    }
    // A peer is also told what is for its whole node.
    bool const is_peer = ways_.peer_on(nodes_.node_of(where.peer)) == where.peer;
    link.one_place = where.kind == hop::deliver ||
                     (where.kind == hop::between && ways_.how() == route::direct && !is_peer);
    std::size_t const whole = link.slot_bytes - sizeof(slot_head);
    std::size_t const wanted = link.one_place ? whole : whole / 4;
    std::size_t const longest = sizeof(run_head) + longest_run_ / run_alignment * run_alignment;
    link.longest_chunk = std::min(wanted / run_alignment * run_alignment, longest);
    return link;
}

std::uint32_t outgoing_mail::first_chunk(out_link const& link) noexcept {
    // Small at first and then twice as large each time: a buffer serves many destinations, or few well.
    constexpr std::uint32_t least = 64;
    if (link.pooled) return link.one_place ? least : least / 2;
    return static_cast<std::uint32_t>(link.one_place ? link.longest_chunk : std::size_t{least});
}

void outgoing_mail::take_over(std::size_t index, std::size_t place) {
    cursor& at = cursors_[index];
    cursor_back& back = backs_[index];
    if (at.end != nullptr) {
        out_link& link = links_[static_cast<std::size_t>(back.link)];
        close_chunk(link, index);
        unlist(link, index);
    }
    back.link = link_to(stop_of(place));
    back.next_chunk = first_chunk(links_[static_cast<std::size_t>(back.link)]);
    at.place = place;
}

void outgoing_mail::unlist(out_link& link, std::size_t index) noexcept {
    std::uint32_t const listed = backs_[index].listed;
    link.open_places[listed] = link.open_places.back();
    backs_[link.open_places.back()].listed = listed;
    link.open_places.pop_back();
}

std::int64_t outgoing_mail::ranks_reached(delivery how, std::size_t place) const noexcept {
    switch (how) {
    case delivery::to_rank:
        return 1;
    case delivery::to_node:
        // mutant: mail_to_a_node_counts_for_one_rank
        return static_cast<std::int64_t>(nodes_.ranks_of(static_cast<int>(place - place_of_node(0))).size());
    case delivery::by_core:
        return served_[place - place_of_core(0)];
    case delivery::nobody:
        break;
    }
    return 0;
}

std::int64_t outgoing_mail::messages_in(
    std::uint64_t key, std::size_t place, std::span<std::byte const> run) const noexcept {
    // mutant: mail_counts_each_piece
    if (part_of(key) == run_part::piece) return 0; // the last one counts
    run_head const head = head_of(key, 0);
    std::int64_t const messages =
        part_of(key) == run_part::last_piece ? 1 : channels_[head.channel].count(run);
    return messages * ranks_reached(head.how, place);
}

void outgoing_mail::close_run(std::size_t index) noexcept {
    cursor& at = cursors_[index];
    std::byte* const run = std::exchange(backs_[index].run, nullptr);
    run_head head = read_head(run);
    std::byte* const items = run + sizeof(run_head);
    auto const bytes = static_cast<std::size_t>(at.next - items);
    if (bytes == 0) {
        at.next = run;
    } else {
        head.bytes = static_cast<std::uint32_t>(bytes);
        std::memcpy(run, &head, sizeof head);
        // The one place where messages are counted as sent.
        // mutant: mail_is_not_counted_when_sent
        if (origin_of(at.key) == run_origin::own)
            end_.counts().sent(messages_in(at.key, at.place, {items, bytes}));
        at.next = items + run_aligned(bytes);
    }
    at.key = 0;
}

void outgoing_mail::close_chunk(out_link& link, std::size_t index) noexcept {
    cursor& at = cursors_[index];
    if (backs_[index].run != nullptr) close_run(index);
    if (link.pooled) {
        link.held -= static_cast<std::size_t>(at.end - at.next);
        pool_.give_back(link.kind, at.next, at.end);
    } else if (at.end == link.open.used) {
        link.open.used = at.next; // nothing behind it
    } else if (at.next < at.end) {
        put_hole(at.next, static_cast<std::size_t>(at.end - at.next));
    }
    at.next = at.end = nullptr;
}

std::byte* outgoing_mail::begin_run(out_link& link, std::size_t index, std::uint64_t key) noexcept {
    cursor& at = cursors_[index];
    run_head const head = head_of(key, static_cast<int>(at.place));
    std::memcpy(at.next, &head, sizeof head);
    link.open.channels = std::max(link.open.channels, std::uint32_t{head.channel} + 1);
    backs_[index].run = at.next;
    at.key = key;
    return at.next += sizeof head;
}

std::byte* outgoing_mail::try_room(std::size_t place, std::uint64_t key, std::size_t bytes, bool may_spill) {
    std::size_t const index = place & last_cursor();
    cursor& at = cursors_[index];
    cursor_back& back = backs_[index];
    if (at.place != place) {
        take_over(index, place);
    } else if (back.run != nullptr) {
        bool const piece = read_head(back.run).piece;
        // mutant: mail_joins_pieces
        if (at.key == key && !piece && at.next + bytes <= at.end) return at.next;
        close_run(index);
    }
    out_link& link = links_[static_cast<std::size_t>(back.link)];
    std::size_t const needed = sizeof(run_head) + run_aligned(bytes);
    bool is_listed = at.end != nullptr;
    if (is_listed) {
        if (needed <= static_cast<std::size_t>(at.end - at.next)) return begin_run(link, index, key);
        close_chunk(link, index);
    }
    if (link.pooled) {
        if (is_listed) unlist(link, index);
        return pooled_room(index, key, needed, may_spill);
    }
    if (link.open.base != nullptr && needed > static_cast<std::size_t>(link.open.end - link.open.used)) {
        hand_over(link);
        is_listed = false;
    }
    if (link.open.base == nullptr && !open(link, may_spill)) return nullptr;
    auto const left = static_cast<std::size_t>(link.open.end - link.open.used);
    at.next = link.open.used;
    at.end = at.next + std::min(std::max<std::size_t>(needed, back.next_chunk), left);
    back.next_chunk =
        static_cast<std::uint32_t>(std::min<std::size_t>(2 * back.next_chunk, link.longest_chunk));
    link.open.used = at.end;
    if (!is_listed) {
        back.listed = static_cast<std::uint32_t>(link.open_places.size());
        link.open_places.push_back(static_cast<std::uint32_t>(index));
    }
    return begin_run(link, index, key);
}

bool outgoing_mail::may_take_wire_slot(out_link const& link) const noexcept {
    auto const slot = static_cast<std::int64_t>(sizes_.wire_slot);
    // One of each class in any case: a hop waits only for later ones.
    return wire_bytes_ + slot <= sizes_.wire_bound || wire_slots_[static_cast<int>(link.kind)] == 0;
}

bool outgoing_mail::will_free_a_slot(hop kind) const noexcept {
    return std::ranges::any_of(busy_, [&](int index) {
        out_link const& link = links_[static_cast<std::size_t>(index)];
        return !link.to_ring && link.kind >= kind;
    });
}

void outgoing_mail::take_heap(out_link& link, buffer&& heap, bool spilled) {
    out_slot& slot = link.open;
    slot.heap = std::move(heap);
    slot.base = slot.heap.data();
    slot.ring_place = -1;
    slot.spilled = spilled;
    slot.counted = slot.heap.size();
    if (spilled) {
        spilled_ += static_cast<std::int64_t>(slot.counted);
        sums_.spilled_bytes = std::max(sums_.spilled_bytes, spilled_);
    } else {
        wire_bytes_ += static_cast<std::int64_t>(slot.counted);
        ++wire_slots_[static_cast<int>(link.kind)];
    }
}

bool outgoing_mail::open(out_link& link, bool may_spill) {
    out_slot& slot = link.open;
    if (link.to_ring) {
        int const place = link.waiting.empty() ? link.to_ring->free_place() : -1;
        if (place >= 0) {
            slot.base = link.to_ring->slot(place);
            slot.ring_place = place;
            slot.spilled = false;
        } else if (may_spill) {
            take_heap(link, ring_pool_.take(), true);
        } else {
            return false;
        }
    } else {
        // mutant: mail_waits_for_buffers_that_nothing_frees
        if (!may_take_wire_slot(link) && !will_free_a_slot(link.kind)) hand_over_fullest();
        bool const fits = may_take_wire_slot(link);
        if (!fits && !may_spill) return false;
        take_heap(link, wire_pool_.take(), !fits);
    }
    slot.channels = 0;
    slot.used = slot.base + sizeof(slot_head);
    slot.end = slot.base + link.slot_bytes;
    if (!link.listed_open) open_.push_back(static_cast<int>(&link - links_.data()));
    link.listed_open = true;
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
    if (slot.bytes() == sizeof head) { // nothing was written to it
        release(link, slot);
    } else if (slot.ring_place >= 0) {
        link.to_ring->publish(slot.ring_place, slot.bytes());
        ++sums_.ring_buffers;
        sums_.ring_bytes += static_cast<std::int64_t>(slot.bytes());
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
    link.waiting.push_back(std::move(link.open));
    if (!link.listed_busy) busy_.push_back(static_cast<int>(&link - links_.data()));
    link.listed_busy = true;
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

void outgoing_mail::release(out_link const& link, out_slot& slot) {
    if (slot.ring_place >= 0) return;
    auto const bytes = static_cast<std::int64_t>(slot.counted);
    if (slot.spilled) {
        spilled_ -= bytes;
    } else {
        wire_bytes_ -= bytes;
        --wire_slots_[static_cast<int>(link.kind)];
    }
    if (link.pooled) {
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

void outgoing_mail::finish_flights() {
    for (out_link& link : links_) finish_flights(link);
}

std::size_t outgoing_mail::flights_of_link() const noexcept {
    constexpr std::size_t least = 2;
    auto const buffers = static_cast<std::size_t>(sizes_.wire_bound) / sizes_.wire_slot / 2;
    return std::max(least, buffers / std::max<std::size_t>(busy_.size(), 1));
}

bool outgoing_mail::push(out_link& link) {
    bool any = finish_flights(link);
    while (!link.waiting.empty()) {
        out_slot& slot = link.waiting.front();
        auto const bytes = static_cast<std::int64_t>(slot.bytes());
        if (link.to_ring) {
            int const place = link.to_ring->free_place();
            if (place < 0) break;
            std::memcpy(link.to_ring->slot(place), slot.base, slot.bytes());
            link.to_ring->publish(place, slot.bytes());
            ++sums_.ring_buffers;
            sums_.ring_bytes += bytes;
            release(link, slot);
        } else {
            if (link.flights.size() >= flights_of_link()) break;
            request const pending = via_.send(link.peer, tags_[static_cast<int>(link.kind)],
                {slot.base, slot.bytes()}, send_mode::synchronous);
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
