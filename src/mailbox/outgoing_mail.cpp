// Cursors, and the runs written through them. Places, buffers, flights and the pool have files of their own.
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
      grows_(setup.grows),
      shared_(setup.memory.parts()),
      own_part_(own_part),
      ways_(nodes_, via_.rank(), setup.how),
      tags_{setup.tags[0], setup.tags[1], setup.tags[2]},
      ring_pool_(setup.sizes.ring_slot),
      wire_pool_(setup.sizes.wire_slot),
      pool_(setup.sizes.pool_bytes, setup.sizes.wire_slot) {
    bool const several_nodes = nodes_.node_count() > 1;
    auto const cores = nodes_.ranks_of(nodes_.node());
    // A run may be passed on from a ring to a message or back, so it must fit the shorter buffers, also on a
    // rank that has only one kind.
    bool const rings_alone = !several_nodes && (setup.memory || nodes_.largest_node() == 1);
    std::size_t const shortest =
        rings_alone ? sizes_.ring_slot : std::min(sizes_.ring_slot, sizes_.wire_slot);
    longest_run_ = shortest - sizeof(slot_head) - sizeof(run_head);
    std::size_t const places = several_nodes ? place_of_core(0) + cores.size() : place_of_node(0);
    most_cursors_ = std::min(std::bit_ceil(places), setup.cursors);
    constexpr std::size_t first_cursors = 4;
    cursors_.resize(grows_ ? std::min(most_cursors_, first_cursors) : most_cursors_);
    backs_.resize(cursors_.size());
    if (!several_nodes || setup.how != route::nlnr) return;
    served_.resize(cores.size());
    for (int node = 0; node < nodes_.node_count(); ++node)
        if (node != nodes_.node())
            served_[static_cast<std::size_t>(nodes_.core_of(ways_.gate_to_all_of(node)))] +=
                static_cast<std::int64_t>(nodes_.ranks_of(node).size());
}

std::uint32_t outgoing_mail::first_chunk(out_link const& link) noexcept {
    // Chunks double in size, so that a buffer serves many destinations, or a few well.
    constexpr std::uint32_t least = 64;
    if (link.pooled) return link.one_place ? least : least / 2;
    return static_cast<std::uint32_t>(link.one_place ? link.longest_chunk : std::size_t{least});
}

void outgoing_mail::show_cursors(cursor*& at, std::size_t& mask) noexcept {
    shown_at_ = &at;
    shown_mask_ = &mask;
    at = cursors_.data();
    mask = last_cursor();
}

void outgoing_mail::double_cursors() {
    std::size_t const mask = 2 * cursors_.size() - 1;
    std::vector<cursor> cursors(2 * cursors_.size());
    std::vector<cursor_back> backs(cursors.size());
    for (out_link& link : links_)
        for (std::uint32_t& index : link.open_places)
            index = static_cast<std::uint32_t>(cursors_[index].place & mask);
    for (std::size_t i = 0; i < cursors_.size(); ++i) {
        std::size_t const place = cursors_[i].place;
        if (place == cursor{}.place) continue;
        cursors[place & mask] = cursors_[i];
        backs[place & mask] = backs_[i];
    }
    cursors_ = std::move(cursors);
    backs_ = std::move(backs);
    show_cursors(*shown_at_, *shown_mask_);
}

std::size_t outgoing_mail::take_over(std::size_t index, std::size_t place) {
    if (grows_) {
        bool const is_taken = cursors_[index].place != cursor{}.place;
        // At first, cursors double whenever two places collide; later, only if half of the cursors are used.
        constexpr std::size_t few = 1024;
        bool const are_used = cursors_.size() < few || 2 * used_cursors_ >= cursors_.size();
        if (is_taken && are_used && cursors_.size() < most_cursors_) {
            double_cursors();
            return take_over(place & last_cursor(), place);
        }
        used_cursors_ += is_taken ? 0 : 1;
    }
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
    return index;
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
        // Messages are counted as sent only here.
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
        link.open.used = at.next; // nothing follows the chunk
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
    std::size_t index = place & last_cursor();
    if (cursors_[index].place != place) {
        index = take_over(index, place);
    } else if (backs_[index].run != nullptr) {
        cursor const& at = cursors_[index];
        bool const piece = read_head(backs_[index].run).piece;
        // mutant: mail_joins_pieces
        if (at.key == key && !piece && (at.next + bytes <= at.end || (grows_ && extend_chunk(index, bytes))))
            return at.next;
        close_run(index);
    }
    cursor& at = cursors_[index];
    cursor_back& back = backs_[index];
    out_link& link = links_[static_cast<std::size_t>(back.link)];
    std::size_t const needed = sizeof(run_head) + run_aligned(bytes);
    bool is_listed = at.end != nullptr;
    if (is_listed) {
        if (needed <= static_cast<std::size_t>(at.end - at.next) || (grows_ && extend_chunk(index, needed)))
            return begin_run(link, index, key);
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
    std::size_t wanted = std::min(std::max<std::size_t>(needed, back.next_chunk), left);
    if (grows_ && !link.to_ring) {
        std::size_t const used = link.open.bytes();
        back.chunk_end = static_cast<std::uint32_t>(used + wanted);
        // The only chunk of a buffer grows with it; one of several gets its whole size at once.
        grow_buffer(link, used + (link.one_place ? needed : wanted));
        wanted = std::min(wanted, link.open.heap.size() - used);
    }
    if (!is_listed &&
        link.open_places.size() == link.open_places.capacity()) // a chunk must not be on no list
        link.open_places.reserve(2 * link.open_places.size() + 1);
    at.next = link.open.used;
    at.end = at.next + wanted;
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
