/// Single messages on a simulated machine, as a ping measures them on a real one.
#pragma once

#include <weft/extend/transport/transport.hpp>
#include <weft/machine/machine_model.hpp>

#include <cstdint>

namespace weft::tool {

/// The latency of a message between two nodes, without the overheads of both processors: until it is there
/// and, of a synchronous send, until its sender knows that.
[[nodiscard]] double latency_seconds(machine_model const& machine, std::int64_t bytes, send_mode mode);

/// Seconds between the starts of two of many small messages of one sender.
[[nodiscard]] double seconds_between_messages(machine_model const& machine);

} // namespace weft::tool
