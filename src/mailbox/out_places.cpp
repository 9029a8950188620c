// Places for messages, and their links: a part of `outgoing_mail`.
#include "outgoing_mail.hpp"

#include <algorithm>

namespace weft {

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
    // Under nlnr one core serves each node; under the other routes this rank has a peer on every node.
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
    if (auto const known = link_of_.find(name); known != link_of_.end()) return known->second;
    auto const number = static_cast<int>(links_.size());
    links_.push_back(make_link(where));
    try {
        link_of_.emplace(name, number);
    } catch (...) {
        links_.pop_back(); // else the name would be that of another link
        throw;
    }
    return number;
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
    // A peer also gets the messages for its whole node.
    bool const is_peer = ways_.peer_on(nodes_.node_of(where.peer)) == where.peer;
    link.one_place = where.kind == hop::deliver ||
                     (where.kind == hop::between && ways_.how() == route::direct && !is_peer);
    std::size_t const whole = link.slot_bytes - sizeof(slot_head);
    std::size_t const wanted = link.one_place ? whole : whole / 4;
    std::size_t const longest = sizeof(run_head) + longest_run_ / run_alignment * run_alignment;
    link.longest_chunk = std::min(wanted / run_alignment * run_alignment, longest);
    return link;
}

} // namespace weft
