/// The messages that one rank sends to this one in an operation. Private.
#pragma once

#include <core/left_memory.hpp>

#include <weft/core/buffer.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft {

/// Receives one message after the other. Later operations use the same tag, so no more than are expected.
struct message_source {
    int rank = 0;
    std::int64_t expected = 0; // messages
    buffer incoming = {};
    request pending = {};
    bool receiving = false;

    /// To be called if an error has ended the operation.
    void leave() noexcept {
        if (pending) leave_to_mpi(std::move(incoming));
    }
    /// Calls `take` with the bytes of each message that has come; true if there was progress.
    template <class Take>
    bool receive(transport& via, int tag, Take&& take) {
        bool any = false;
        while (expected > 0) {
            if (!receiving) {
                auto const found = via.probe(rank, tag);
                if (!found) break;
                incoming.resize(static_cast<std::size_t>(found->bytes));
                pending = via.receive(*found, incoming.bytes());
                receiving = true;
                any = true;
            }
            if (!via.test(pending)) break;
            receiving = false;
            --expected;
            any = true;
            take(incoming.bytes());
        }
        return any;
    }
};

} // namespace weft
