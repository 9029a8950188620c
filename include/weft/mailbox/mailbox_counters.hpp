/// Mailbox statistics.
#pragma once

#include <cstdint>

namespace weft {

/// Counters of a mailbox on a rank. They only grow.
struct mailbox_counters {
    /// Messages that this rank has sent, counted when their buffer is sent; a broadcast counts once for every
    /// rank. Items of a channel that combines items are counted again by each rank that forwards them.
    std::int64_t sent = 0;
    /// Messages whose handler has returned on this rank, or that were merged into others on this rank.
    std::int64_t handled = 0;
    std::int64_t ring_buffers = 0;     ///< Buffers passed in shared memory.
    std::int64_t ring_bytes = 0;       ///< bytes in the buffers of `ring_buffers`
    std::int64_t wire_buffers = 0;     ///< Buffers sent through MPI.
    std::int64_t wire_bytes = 0;       ///< bytes in the buffers of `wire_buffers`
    std::int64_t between_buffers = 0;  ///< Buffers sent to other nodes; a part of `wire_buffers`.
    std::int64_t between_bytes = 0;    ///< bytes in the buffers of `between_buffers`
    std::int64_t forwarded_bytes = 0;  ///< bytes of messages that this rank forwarded for others
    std::int64_t spilled_bytes = 0;    ///< the most bytes that were stored outside of the buffers
    std::int64_t nested_handlers = 0;  ///< buffers handled inside a handler that had no room to send
    std::int64_t waves = 0;            ///< waves of termination detection
    std::int64_t control_messages = 0; ///< messages of termination detection
};

} // namespace weft
