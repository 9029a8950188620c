#include <weft/graph/arc_graph.hpp>

#include <weft/extend/protocol/gate.hpp>

#include "adjacency.hpp"
#include "graph/components/local_numbering.hpp"
#include "graph/search/weighted_adjacency.hpp"

#include <core/counter_random.hpp>

#include <cmath>
#include <utility>

namespace weft {

namespace {

stored_with ends_to_store(edge_list const& list, arc_direction direction) {
    switch (direction) {
    case arc_direction::forward:
        return stored_with::source;
    case arc_direction::backward:
        return stored_with::target;
    default: // if the file lists both directions, the second need not be sent
        return list.both_directions ? stored_with::source : stored_with::both_ends;
    }
}

} // namespace

arc_graph::arc_graph(communicator comm, edge_list list, arc_direction direction, arc_weights weights)
    : vertices_(std::move(comm), list), direction_(direction), weighted_(weights != arc_weights::none) {
    gate call(this->comm(), "arc_graph");
    call.same("direction", direction).same("weights", weights).agree();
    adjacency stored;
    if (weights == arc_weights::none) {
        stored = store_edges(call, vertices_.owners(), std::move(list.edges), ends_to_store(list, direction));
    } else {
        // A file with both directions may give them different weights; both then get the smaller one.
        bool const both = direction == arc_direction::both && weights == arc_weights::lightest;
        stored_with const which = both ? stored_with::both_ends : ends_to_store(list, direction);
        weighted_adjacency weighted =
            store_weighted_edges(call, vertices_.owners(), std::move(list), which, weights);
        stored = std::move(weighted.arcs);
        weights_ = std::move(weighted.weight);
    }
    arc_count_ = stored.stored;
    most_neighbors_ = stored.most;
    loop_count_ = stored.loops;
    first_ = std::move(stored.first);
    local_numbering numbered = number_locally(call, vertices_.owners(), stored.others, "arc_graph");
    neighbors_ = std::move(numbered.index);
    ghosts_ = std::move(numbered.ghosts);
}

void arc_graph::draw_weights(std::uint64_t seed) {
    constexpr int fraction_bits = 53;
    weighted_ = true;
    weights_.clear();
    weights_.reserve(neighbors_.size());
    auto const own = static_cast<std::uint32_t>(local_count());
    for (std::int64_t local = 0; local < local_count(); ++local)
        for (std::uint32_t const neighbor : neighbors(local)) {
            global_id from = vertices_.first_local() + local;
            global_id to = neighbor < own ? vertices_.first_local() + neighbor : ghosts_[neighbor - own];
            bool const turned =
                direction_ == arc_direction::both ? to < from : direction_ == arc_direction::backward;
            if (turned) std::swap(from, to);
            std::uint64_t const bits =
                counter_random(seed, static_cast<std::uint64_t>(from))(static_cast<std::uint64_t>(to));
            weights_.push_back(
                std::ldexp(static_cast<double>((bits >> (64 - fraction_bits)) + 1), -fraction_bits));
        }
}

} // namespace weft
