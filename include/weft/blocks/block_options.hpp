/// Options of exchanges between blocks, and counters of `block_set::iexchange`.
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
    /// The longest time for which a buffer waits, in seconds. While its rank is idle, it does not wait.
    double max_hold = 0.001;
    /// If the blocks of a rank have more bytes of input than this, the rank receives only messages that it
    /// must receive, which slows its senders down.
    std::size_t queue_bytes = std::size_t{64} << 20;
    /// True if the items that a callback has sent to one block of another rank are one message, sent when the
    /// callback returns, as in the paper on iexchange: one `MPI_Issend`, or several if the items are longer
    /// than a buffer. If false, items for all blocks of a rank share messages.
    bool whole_queues = false;
};

/// Counters of this rank: of all its calls of iexchange, and of its blocks out of core.
struct iexchange_counters {
    std::int64_t callbacks = 0;        ///< The number of callbacks that have run.
    std::int64_t local_runs = 0;       ///< Messages between blocks of this rank.
    std::int64_t remote_runs = 0;      ///< Messages to other ranks.
    std::int64_t held_back = 0;        ///< The number of times that a callback waited for room.
    std::size_t most_queued_bytes = 0; ///< The most bytes that waited in queues at the same time.
};

} // namespace weft
