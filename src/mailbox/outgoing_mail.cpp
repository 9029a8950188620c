// Cursors, and the runs that are written there. Places, buffers, flights and the pool have files of their
// own.
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

} // namespace weft
