/// The ways that messages take where the caller asks for no way.
#pragma once

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/machine/machine_model.hpp>

#include <cstddef>
#include <cstdint>

namespace weft {

/// The route of least predicted time for uniform traffic of small messages, when a rank may keep `bytes` in
/// buffers: few partners mean long messages between nodes, at the price of further hops. `shared`: ranks of a
/// node hand buffers over in shared memory. The same on all ranks. Local, O(nodes).
[[nodiscard]] route fastest_route(
    topology const& nodes, machine_model const& machine, std::int64_t bytes, bool shared);

/// The length from which on a message to another node is sooner there as it is than in pieces, which are
/// copied twice and are a message each. Local, O(1).
[[nodiscard]] std::size_t least_long_message(machine_model const& machine, mail_sizes const& sizes);

} // namespace weft
