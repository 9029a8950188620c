#include "incoming_mail.hpp"

#include "run.hpp"

#include <core/cache_lines.hpp>

#include <weft/detail/core/prefetch.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace weft {

incoming_mail::incoming_mail(
    transport& via, mail_setup const& setup, std::byte* own_part, slot_reader& reader)
    : via_(via),
      reader_(reader),
      tags_{setup.tags[0], setup.tags[1], setup.tags[2]},
      pool_(setup.sizes.wire_slot),
      slot_bytes_(setup.sizes.wire_slot),
      most_bytes_(static_cast<std::size_t>(setup.sizes.most_received) * setup.sizes.wire_slot),
      as_long_as_needed_(setup.sizes.pool_bytes > 0),
      exact_(as_long_as_needed_ || setup.grows) {
    topology const& nodes = *setup.nodes;
    auto const cores = nodes.ranks_of(nodes.node());
    bool const passes_on = setup.sizes.ring_classes > 1;
    bool const shared = static_cast<bool>(setup.memory);
    for (int core = 0; core < static_cast<int>(cores.size()); ++core) {
        int const source = cores[static_cast<std::size_t>(core)];
        bool const is_own = source == via.rank();
        if (!shared && !is_own) continue;
        int const sender = shared ? core : 0;
        rings_.push_back({in_ring(ring_at(own_part, setup.sizes, 0, sender), source)});
        if (passes_on && !is_own)
            rings_.push_back({in_ring(ring_at(own_part, setup.sizes, 1, sender), source)});
    }
    listens_[static_cast<int>(hop::between)] = nodes.node_count() > 1;
    listens_[static_cast<int>(hop::deliver)] = !shared && nodes.largest_node() > 1;
    listens_[static_cast<int>(hop::gather)] = listens_[static_cast<int>(hop::deliver)] && passes_on;
}

incoming_mail::~incoming_mail() = default;

std::unique_ptr<incoming_mail::held> incoming_mail::new_held() {
    if (spare_.empty()) {
        // Giving one back must not need memory, nor storing one that a message arrives in.
        spare_.reserve(made_ + 1);
        wire_.reserve(made_ + 1);
        auto made = std::make_unique<held>();
        ++made_;
        return made;
    }
    std::unique_ptr<held> made = std::move(spare_.back());
    spare_.pop_back();
    *made = held{};
    return made;
}

bool incoming_mail::work_off(held& now) {
    std::size_t const at = now.slot.at;
    std::size_t const done = now.slot.done;
    nested_ += reader_.depth() > 0 ? 1 : 0;
    ++now.users;
    bool const finished = reader_.work_off(now.slot);
    --now.users;
    now.stopped = !finished;
    return finished || now.slot.at != at || now.slot.done != done;
}

void incoming_mail::give_back(ring_queue& ring, held& read) {
    if (read.releases) release_lines(read.slot.data, read.slot.bytes);
    ring.from.give_back(std::exchange(read.ring_place, -1));
    via_.account_write(ring.from.source(), sizeof(std::uint64_t));
}

bool incoming_mail::receive(ring_queue& ring) {
    held* now = ring.slots.empty() ? nullptr : ring.slots.back().get();
    if (now == nullptr || !now->has_more()) {
        in_ring::found const found = ring.from.look();
        if (found.place < 0 || !reader_.may_read(found.data)) return false;
        ring.from.take();
        now = ring.slots.emplace_back(new_held()).get();
        now->slot = {found.data, found.bytes, sizeof(slot_head), 0};
        now->ring_place = found.place;
        now->releases = found.releases;
        if (reader_.depth() >= 2) {
            // Copied, since handlers deep in a stack could hold all slots of the ring, and its sender would
            // stop.
            now->data.resize(found.bytes);
            std::memcpy(now->data.data(), found.data, found.bytes);
            give_back(ring, *now);
            now->slot.data = now->data.data();
        }
    }
    bool const any = work_off(*now);
    std::erase_if(ring.slots, [&](std::unique_ptr<held>& each) {
        if (!is_over(*each)) return false;
        // mutant: mail_keeps_slots_of_rings
        if (each->ring_place >= 0) give_back(ring, *each);
        spare_.push_back(std::move(each));
        return true;
    });
    return any;
}

bool incoming_mail::may_receive(hop kind) const noexcept {
    // Each class has a bound of its own, beyond the messages on the stack: waiting messages of one class must
    // not block another.
    constexpr int most = 64; // each one is tested again and again
    int messages = 0;
    std::size_t bytes = slot_bytes_; // the next message has at most this size
    for (auto const& each : wire_) {
        // mutant: mail_receives_without_a_bound_for_each_class
        if (each->kind != kind || each->users != 0) continue;
        ++messages;
        bytes += as_long_as_needed_ ? each->data.size() : slot_bytes_;
    }
    return bytes <= most_bytes_ && (messages < most || !as_long_as_needed_);
}

bool incoming_mail::begin_receives(hop kind) {
    bool any = false;
    while (may_receive(kind)) {
        auto const found = via_.probe(transport::any_source, tags_[static_cast<int>(kind)]);
        if (!found) break;
        auto made = new_held();
        auto const bytes = static_cast<std::size_t>(found->bytes);
        made->data = exact_ ? buffer(bytes) : pool_.take();
        made->slot = {made->data.data(), bytes, sizeof(slot_head), 0};
        made->source = found->source;
        made->kind = kind;
        made->arrived = false;
        made->pending = via_.receive(*found, made->data.bytes().first(bytes));
        wire_.push_back(std::move(made));
        any = true;
    }
    return any;
}

bool incoming_mail::test_receives() {
    bool any = false;
    for (auto const& each : wire_) {
        if (each->arrived || !via_.test(each->pending)) continue;
        any = each->arrived = true;
    }
    return any;
}

bool incoming_mail::is_first_of_its_source(std::size_t index) const noexcept {
    held const& mine = *wire_[index];
    for (std::size_t i = 0; i < index; ++i) {
        held const& other = *wire_[i];
        // mutant: mail_of_a_source_comes_in_any_order
        if (other.source == mine.source && other.kind == mine.kind && other.has_more()) return false;
    }
    return true;
}

bool incoming_mail::work_off_wire() {
    bool any = false;
    for (auto const& each : wire_) each->stopped = false;
    // Handlers may remove other messages, which moves places, so the search begins anew after each one.
    for (std::size_t i = 0; i < wire_.size();) {
        held& now = *wire_[i];
        bool const ready = now.arrived && now.has_more() && !now.stopped && is_first_of_its_source(i) &&
                           reader_.may_read(now.slot.data);
        if (!ready) {
            ++i;
            continue;
        }
        if (work_off(now)) any = true;
        i = 0;
    }
    std::erase_if(wire_, [&](std::unique_ptr<held>& each) {
        if (!is_over(*each)) return false;
        if (exact_)
            each->data = buffer();
        else
            pool_.give_back(std::move(each->data));
        spare_.push_back(std::move(each));
        return true;
    });
    return any;
}

progress incoming_mail::receive() {
    bool any = false;
    for (ring_queue& each : rings_)
        if (receive(each)) any = true;
    for (hop const kind : {hop::deliver, hop::between, hop::gather})
        if (listens_[static_cast<int>(kind)] && begin_receives(kind)) any = true;
    if (!wire_.empty()) {
        if (test_receives()) any = true;
        if (work_off_wire()) any = true;
    }
    return any ? progress::some : progress::none;
}

void incoming_mail::prefetch(int stage) const noexcept {
    if (stage == 1) {
        detail::prefetch(rings_.data(), rings_.empty() ? 0 : sizeof(ring_queue));
        detail::prefetch(wire_.data(), wire_.empty() ? 0 : sizeof(void*));
        detail::prefetch(spare_.data(), spare_.empty() ? 0 : sizeof(void*));
        return;
    }
    if (!rings_.empty()) rings_.front().from.prefetch();
    if (!wire_.empty()) detail::prefetch(wire_.front().get(), sizeof(held));
    if (!spare_.empty()) detail::prefetch(spare_.back().get(), sizeof(held));
}

progress incoming_mail::finish_receives() {
    return test_receives() ? progress::some : progress::none;
}

bool incoming_mail::empty() const noexcept {
    return wire_.empty() &&
           std::ranges::all_of(rings_, [](ring_queue const& each) { return each.slots.empty(); });
}

bool incoming_mail::nothing_to_read() const noexcept {
    auto const cannot_be_read = [&](auto const& each) {
        return each->arrived && each->users == 0 && each->has_more() && !reader_.may_read(each->slot.data);
    };
    return std::ranges::all_of(wire_, cannot_be_read) &&
           std::ranges::all_of(rings_, [](ring_queue const& each) { return each.slots.empty(); });
}

bool incoming_mail::at_rest() const noexcept {
    return std::ranges::all_of(wire_, [](auto const& each) { return each->arrived; });
}

} // namespace weft
