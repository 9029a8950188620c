/// Options of the rounds and of iexchange between blocks, and counters of the latter.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// The condition on which a rank ends a round with neighbours: the greatest number of expected messages that
/// may still be missing, including those of earlier rounds.
struct neighbor_options {
    /// The share of the messages of one round that must have arrived: 1 waits for all of them, 0 for no
    /// message of this round.
    double fraction = 1;
    /// The number of messages that may be missing, which replaces `fraction` if it is 0 or more.
    std::int64_t count = -1;
};

/// Options of `block_set::iexchange`, equal on all ranks.
struct iexchange_options {
    /// A buffer with fewer bytes than this waits for further messages.
    std::size_t min_bytes = 0;
    /// The longest time for which a buffer waits, in seconds; it does not wait while its rank is idle.
    double max_hold = 0.001;
    /// If the blocks of a rank have more bytes of input than this, the rank receives only what it must, which
    /// slows its senders down.
    std::size_t queue_bytes = std::size_t{64} << 20;
    /// The queue that a callback leaves for a block of another rank is a message of its own, which leaves
    /// when the callback returns, as in the paper on iexchange: one `MPI_Issend` a queue, or the parts of one
    /// that is longer than a buffer. Otherwise queues for a rank share messages.
    bool whole_queues = false;
};

/// Counters of this rank: of all its calls of iexchange, and of its blocks out of core.
struct iexchange_counters {
    std::int64_t callbacks = 0;        ///< Calls of blocks.
    std::int64_t local_runs = 0;       ///< between blocks of this rank
    std::int64_t remote_runs = 0;      ///< to other ranks
    std::int64_t held_back = 0;        ///< times that a callback had to wait for room
    std::size_t most_queued_bytes = 0; ///< The most bytes that waited at once.
};

} // namespace weft
