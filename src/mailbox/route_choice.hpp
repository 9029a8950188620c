/// The route that a mailbox takes where none is asked for. Private.
#pragma once

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/machine/machine_model.hpp>

#include <cstdint>

namespace weft {

/// The route of least predicted time for uniform traffic of small messages, when a rank may keep `bytes` in
/// buffers: few partners mean long messages between nodes, at the price of further hops. `shared`: ranks of a
/// node hand buffers over in shared memory. The same on all ranks. Local, O(nodes).
[[nodiscard]] route fastest_route(
    topology const& nodes, machine_model const& machine, std::int64_t bytes, bool shared);

} // namespace weft
