/// The choice of the route of messages if the caller does not name a route.
#pragma once

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/machine/machine_model.hpp>

#include <cstddef>
#include <cstdint>

namespace weft {

/// Returns the route with the smallest predicted time for uniform traffic of small messages, with `bytes`
/// bytes of buffers on a rank: fewer partners give longer messages between nodes, but more hops. `shared` is
/// true if ranks of a node exchange buffers through shared memory. The same on all ranks. Local, O(nodes).
[[nodiscard]] route fastest_route(
    topology const& nodes, machine_model const& machine, std::int64_t bytes, bool shared);

/// Returns the length from which on a message to another node is faster in one piece than split: each part is
/// copied twice and is a message of its own. Local, O(1).
[[nodiscard]] std::size_t least_long_message(machine_model const& machine, mail_sizes const& sizes);

} // namespace weft
