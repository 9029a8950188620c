/// Options of exchanges between blocks, and counters of `block_set::iexchange`.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// The condition on which a rank ends a round with neighbours: the greatest number of expected messages that
/// may still be missing, including messages of earlier rounds.
struct neighbor_options {
    /// The share of the messages of one round that must have arrived: 1 waits for all of them, 0 for no
    /// message of this round.
    double fraction = 1;
    /// The greatest number of messages that may be missing. If `count` is 0 or more, it replaces `fraction`.
    std::int64_t count = -1;
};

/// Options of `block_set::iexchange`, equal on all ranks.
struct iexchange_options {
    /// A buffer with fewer bytes than this waits for further messages; 1: buffers do not wait. If 0, small
    /// buffers wait while other blocks of the rank have input, but not where all ranks share memory, and at
    /// most three times as long as the model of the machine says that a message takes.
    std::size_t min_bytes = 0;
    /// The longest time for which a buffer of fewer than `min_bytes` waits, in seconds. While a rank is idle,
    /// its buffers do not wait.
    double max_hold = 0.001;
    /// If messages of more bytes than this wait for the callbacks of a rank, the rank receives further
    /// messages only while it needs to receive in order to send. A rank that receives less slows down the
    /// ranks that send to it.
    std::size_t queue_bytes = std::size_t{64} << 20;
    /// True to send all items of a callback for one block of another rank as one message when the callback
    /// returns, as in the paper on iexchange (Morozov and others, LDAV 2021). The items of one message are
    /// sent by one `MPI_Issend`, or by several if the items are longer than a buffer. If the option is false,
    /// one message may have items for several blocks of a rank.
    bool whole_queues = false;
};

/// Counters of this rank, over all its calls of `block_set::iexchange`.
struct iexchange_counters {
    std::int64_t callbacks = 0;        ///< The number of callbacks that have run.
    std::int64_t local_runs = 0;       ///< The number of messages between blocks of this rank.
    std::int64_t remote_runs = 0;      ///< The number of messages to blocks of other ranks.
    std::int64_t held_back = 0;        ///< The number of times that messages waited for free buffers.
    std::size_t most_queued_bytes = 0; ///< The most bytes that waited for callbacks at the same time.
};

} // namespace weft
