/// Counters of the communication of this rank so far.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>

namespace weft {

/// Counters of one rank on one communicator. Counters only grow; the difference of two copies counts the
/// communication between them. Counters count messages of the application; messages of small all-reduces, and
/// messages that only announce sizes, are counted separately. A mailbox, also that of `iexchange`, adds its
/// counts at the end of each `drain`. A mailbox counts buffers, each with many small messages.
struct counters {
    std::int64_t messages = 0;         ///< messages sent to other ranks
    std::int64_t bytes = 0;            ///< the bytes of payload of `messages`
    std::int64_t between_messages = 0; ///< messages to ranks of other nodes, a part of `messages`
    std::int64_t between_bytes = 0;    ///< the bytes of payload of `between_messages`
    std::int64_t shared_buffers = 0;   ///< buffers of mailboxes, read by ranks of this node in shared memory
    std::int64_t shared_bytes = 0;     ///< bytes in the buffers of `shared_buffers`
    std::int64_t self_messages = 0;    ///< messages from this rank to itself, delivered without MPI
    std::int64_t self_bytes = 0;       ///< the bytes of payload of `self_messages`
    std::int64_t forwarded_messages = 0; ///< messages that pass on data of other ranks
    std::int64_t forwarded_bytes = 0;    ///< the bytes of payload of `forwarded_messages`
    std::int64_t control_messages = 0;   ///< messages of small all-reduces, sizes and error texts
    std::int64_t exchanges = 0;          ///< sparse exchanges completed
    std::int64_t small_all_reduces = 0;  ///< small all-reduces completed
    std::int64_t waves = 0;              ///< rounds in which mailboxes detected that no message is left
    std::int64_t rsx_fallbacks = 0;      ///< exchanges by `protocol::rsx` that used `pcx` instead

    friend counters operator-(counters a, counters const& b) noexcept {
        a.messages -= b.messages;
        a.bytes -= b.bytes;
        a.between_messages -= b.between_messages;
        a.between_bytes -= b.between_bytes;
        a.shared_buffers -= b.shared_buffers;
        a.shared_bytes -= b.shared_bytes;
        a.self_messages -= b.self_messages;
        a.self_bytes -= b.self_bytes;
        a.forwarded_messages -= b.forwarded_messages;
        a.forwarded_bytes -= b.forwarded_bytes;
        a.control_messages -= b.control_messages;
        a.exchanges -= b.exchanges;
        a.small_all_reduces -= b.small_all_reduces;
        a.waves -= b.waves;
        a.rsx_fallbacks -= b.rsx_fallbacks;
        return a;
    }
    friend bool operator==(counters const&, counters const&) = default;
};

/// Returns the counters of this rank on a communicator. The counters live as long as the communicator. Local.
[[nodiscard]] counters& counters_of(communicator const& comm);

} // namespace weft
