#include <weft/extend/mailbox/route_choice.hpp>

#include "run.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

/// The bytes that a rank sends in a phase; a deliberately low estimate. If it sends more, another route costs
/// one superfluous copy; if it sends less, direct messages are short, which costs several times more.
constexpr double phase_bytes = 1 << 17;

/// Uniform traffic under a route, as seen by one rank.
struct traffic {
    double between;      ///< next ranks on other nodes
    double beside;       ///< next ranks on the own node that get messages
    double destinations; ///< destinations of a link between nodes
    double copies;       ///< hops within a node in addition to those of every route
};

traffic traffic_of(route how, double nodes, double cores, bool shared) {
    double const others = nodes - 1;
    double const beside = shared ? 0 : cores - 1;
    switch (how) {
    case route::direct:
        return {others * cores, beside, 1, 0};
    case route::node_local:
        return {others, 2 * beside, 1, 1};
    case route::node_remote:
        return {others, beside, cores, 1};
    case route::nlnr:
    case route::automatic:
        break;
    }
    // If a node has several gates, each one serves one core of each other node.
    double const gates = std::max(1.0, std::floor(cores / nodes));
    return {std::max(1.0, others / cores), 2 * beside, cores / gates, gates > 1 ? 1.0 : 2.0};
}

/// Returns the bytes of items in a message between nodes, as `outgoing_mail` sends them.
double bytes_in_message(mail_sizes const& sizes, traffic const& now) {
    double bytes = static_cast<double>(sizes.wire_slot);
    // A pool is three quarters full when its fullest links, with 1.5 times the mean, leave it.
    if (sizes.pool_bytes > 0)
        bytes = std::min(bytes, 1.5 * static_cast<double>(sizes.pool_bytes) / (now.between + now.beside));
    // Each destination of a message has a head before its items; the items share the rest.
    double const heads = now.destinations * static_cast<double>(sizeof(run_head));
    return std::clamp(phase_bytes / now.between, 8.0, std::max(8.0, bytes - std::min(heads, bytes / 2)));
}

double seconds_of_byte(network_model const& network, double bytes) {
    loggp const& costs = network.parameters;
    double const on_wire = std::max(costs.gap, transfer_seconds(network, bytes));
    return (2 * costs.overhead + on_wire) / bytes;
}

} // namespace

route fastest_route(topology const& nodes, machine_model const& machine, std::int64_t bytes, bool shared) {
    if (nodes.node_count() == 1) return route::direct;
    auto const seconds = [&](route how) {
        traffic const now =
            traffic_of(how, nodes.node_count(), static_cast<double>(nodes.largest_node()), shared);
        double const length = bytes_in_message(mail_sizes(nodes, how, bytes, shared), now);
        double const inside =
            machine.copy_per_byte +
            (shared ? machine.handover_per_byte
                    : seconds_of_byte(machine.inside, std::min(length, phase_bytes / now.beside)));
        return seconds_of_byte(machine.between, length) + now.copies * inside;
    };
    route best = route::direct;
    for (route const how : {route::node_remote, route::node_local, route::nlnr})
        if (seconds(how) < seconds(best)) best = how;
    return best;
}

std::size_t least_long_message(machine_model const& machine, mail_sizes const& sizes) {
    loggp const& costs = machine.between.parameters;
    auto const slot = static_cast<double>(sizes.wire_slot);
    double const more_messages = 3 * (costs.latency + 2 * costs.overhead); // announcement, answer, closing
    double const of_piece = 2 * costs.overhead + machine.between.synchronous_penalty;
    double const of_byte = 2 * machine.copy_per_byte + of_piece / slot;
    double const bytes = of_byte > 0 ? more_messages / of_byte : 0;
    return static_cast<std::size_t>(std::clamp(bytes, slot, 1e9));
}

} // namespace weft
