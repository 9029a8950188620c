/// The routes of messages between nodes.
#pragma once

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>

#include <algorithm>

namespace weft {

/// The next hops of one rank's messages under a route. Stateless: each rank on the way computes its own.
///
/// Written (n, c) for core c of node n, a message from (n, c) to (n', c') goes
/// * direct: there;
/// * node_local: to (n, c'), then there;
/// * node_remote: to (n', c), then there;
/// * nlnr: to (n, n' + N k), then to (n', n + N k), then there;
/// where N nodes of C cores have C / N gates to each other, at least one, and gate k serves the cores c' with
/// k = (c' / N) modulo the gates. If there are more nodes than half the cores, that is the route of the
/// paper; else its single gate would leave other cores idle. A core number is taken modulo the size of its
/// node, so that nodes may have any size and ranks any placement. A route has at most three hops, at most one
/// of them between nodes.
///
/// Local, O(1). Source: Priest, Steil, Sanders, Pearce, YGM, 2019, section III.
class routes {
public:
    /// `how` must not be automatic; `nodes` must outlive this object.
    routes(topology const& nodes, int rank, route how) noexcept
        : nodes_(nodes),
          rank_(rank),
          how_(how),
          gates_(std::max(1, nodes.largest_node() / nodes.node_count())) {}

    /// Returns the rank that gets a message for `destination` from this rank; this rank for itself.
    [[nodiscard]] int next_hop(int destination) const noexcept {
        int const there = nodes_.node_of(destination);
        if (there == nodes_.node_of(rank_)) return destination;
        int const before = gate_to(there, destination);
        return before != rank_ ? before : entry_of(there, destination);
    }
    /// Returns the rank of this node through which messages leave for another node.
    [[nodiscard]] int gate_to(int node, int destination) const noexcept {
        if (how_ == route::direct || how_ == route::node_remote) return rank_;
        int const wanted = how_ == route::node_local ? nodes_.core_of(destination)
                                                     : numbered(node, gate_number(destination));
        return core(nodes_.node_of(rank_), wanted);
    }
    /// Returns the rank of this node that sends messages for all ranks of a node to `peer_on(node)`.
    [[nodiscard]] int gate_to_all_of(int node) const noexcept {
        return how_ == route::nlnr ? core(nodes_.node_of(rank_), node) : rank_;
    }
    /// Returns the rank of another node to which this rank sends a single message for several or all ranks of
    /// that node.
    [[nodiscard]] int peer_on(int node) const noexcept {
        return core(node, how_ == route::nlnr ? nodes_.node_of(rank_) : nodes_.core_of(rank_));
    }
    [[nodiscard]] route how() const noexcept { return how_; }

private:
    [[nodiscard]] int core(int node, int wanted) const noexcept {
        auto const ranks = nodes_.ranks_of(node);
        return ranks[static_cast<std::size_t>(wanted) % ranks.size()];
    }
    [[nodiscard]] int entry_of(int node, int destination) const noexcept {
        if (how_ == route::direct || how_ == route::node_local) return destination;
        if (how_ == route::node_remote) return peer_on(node);
        return core(node, numbered(nodes_.node_of(rank_), gate_number(destination)));
    }
    /// Returns the gate of nlnr for messages to a rank.
    [[nodiscard]] int gate_number(int destination) const noexcept {
        return nodes_.core_of(destination) / nodes_.node_count() % gates_;
    }
    [[nodiscard]] int numbered(int node, int gate) const noexcept {
        return node + nodes_.node_count() * gate;
    }

    topology const& nodes_;
    int rank_;
    route how_;
    int gates_; ///< from a node to each other node, under nlnr
};

} // namespace weft
