/// The ways of messages between nodes.
#pragma once

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>

#include <algorithm>

namespace weft {

/// Where the messages of one rank go next under a route. Without state: each rank on the way asks its own.
///
/// Written (n, c) for core c of node n, a message from (n, c) to (n', c') goes
/// * direct: there;
/// * node_local: to (n, c'), then there;
/// * node_remote: to (n', c), then there;
/// * nlnr: to (n, n' + N k), then to (n', n + N k), then there;
/// where N nodes of C cores have C / N gates to each other, at least one, and gate k serves the cores c' with
/// k = (c' / N) modulo the gates. With more nodes than half the cores that is the route of the paper; with
/// fewer its one gate would leave other cores idle. A core that is beyond the last of its node is taken
/// modulo the size of that node, so that nodes may be of any size and ranks placed in any way. No way is
/// longer than three hops, and of those one at most goes from node to node.
///
/// Local, O(1). Source: Priest, Steil, Sanders, Pearce, YGM, 2019, section III.
class routes {
public:
    /// `how` must not be automatic; `nodes` must live as long.
    routes(topology const& nodes, int rank, route how) noexcept
        : nodes_(nodes),
          rank_(rank),
          how_(how),
          gates_(std::max(1, nodes.largest_node() / nodes.node_count())) {}

    /// The rank that gets a message for `destination` from this rank; this rank itself for itself.
    [[nodiscard]] int next_hop(int destination) const noexcept {
        int const there = nodes_.node_of(destination);
        if (there == nodes_.node_of(rank_)) return destination;
        int const before = gate_to(there, destination);
        return before != rank_ ? before : entry_of(there, destination);
    }
    /// The rank of this node from which messages to another node leave it.
    [[nodiscard]] int gate_to(int node, int destination) const noexcept {
        if (how_ == route::direct || how_ == route::node_remote) return rank_;
        int const wanted = how_ == route::node_local ? nodes_.core_of(destination)
                                                     : numbered(node, gate_number(destination));
        return core(nodes_.node_of(rank_), wanted);
    }
    /// The rank of this node that sends to `peer_on(node)` what is for all ranks of that node.
    [[nodiscard]] int gate_to_all_of(int node) const noexcept {
        return how_ == route::nlnr ? core(nodes_.node_of(rank_), node) : rank_;
    }
    /// The rank of another node to which this rank sends what is for all or any of that node's ranks when
    /// they are to be told by one message.
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
    /// Which gate of nlnr messages for a rank take.
    [[nodiscard]] int gate_number(int destination) const noexcept {
        return nodes_.core_of(destination) / nodes_.node_count() % gates_;
    }
    [[nodiscard]] int numbered(int node, int gate) const noexcept {
        return node + nodes_.node_count() * gate;
    }

    topology const& nodes_;
    int rank_;
    route how_;
    int gates_; ///< of a node to each other one, under nlnr
};

} // namespace weft
