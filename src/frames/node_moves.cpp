#include "node_moves.hpp"

#include <weft/core/topology.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/engine.hpp>

#include <algorithm>

namespace weft {

namespace {

bool is_near(communicator const& comm, int rank) {
    return comm.topology().node_of(rank) == comm.topology().node();
}

/// Collective if there are several nodes.
std::optional<exchange_plan> far_part(exchange_plan const& plan) {
    communicator const& comm = plan.comm();
    if (comm.topology().node_count() == 1) return std::nullopt;
    std::vector<int> destinations;
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i < plan.destinations().size(); ++i) {
        if (is_near(comm, plan.destinations()[i])) continue;
        destinations.push_back(plan.destinations()[i]);
        counts.push_back(plan.outgoing_offsets()[i + 1] - plan.outgoing_offsets()[i]);
    }
    return exchange_plan(comm, destinations, counts);
}

} // namespace

node_moves::node_moves(exchange_plan const& plan, std::int64_t most_items)
    : plan_(plan), far_(far_part(plan)), most_items_(most_items) {
    communicator const& comm = plan.comm();
    outbox<std::int64_t> begins(comm);
    std::int64_t next = 0;
    for (std::size_t i = 0; i < plan.destinations().size(); ++i) {
        int const destination = plan.destinations()[i];
        near_out_.push_back(is_near(comm, destination) ? next : -1);
        if (near_out_.back() < 0) continue;
        begins[destination].push_back(next);
        next += plan.outgoing_offsets()[i + 1] - plan.outgoing_offsets()[i];
    }
    near_in_.assign(plan.sources().size(), -1);
    for (auto const& [source, begin] : exchange(std::move(begins)))
        near_in_[static_cast<std::size_t>(
            std::ranges::lower_bound(plan.sources(), source) - plan.sources().begin())] = begin.front();
}

bool node_moves::reserve(std::size_t value_bytes) {
    std::size_t const wanted = static_cast<std::size_t>(most_items_) * value_bytes;
    if (wanted <= room_) return true;
    if (none_to_be_had_) return false;
    communicator const& comm = plan_.comm();
    memory_ = shared_memory();
    memory_ = context_of(comm).via.share(comm.topology(), wanted);
    none_to_be_had_ = !memory_;
    room_ = none_to_be_had_ ? 0 : wanted;
    if (none_to_be_had_) return false;
    auto const part = [&](int rank) {
        return memory_.parts()[static_cast<std::size_t>(comm.topology().core_of(rank))];
    };
    mine_ = part(comm.rank());
    parts_.assign(near_in_.size(), nullptr);
    for (std::size_t i = 0; i < parts_.size(); ++i)
        if (near_in_[i] >= 0) parts_[i] = part(plan_.sources()[i]);
    return true;
}

} // namespace weft
