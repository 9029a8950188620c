/// Options of the rounds and of iexchange between blocks, and counters of the latter.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// When a round with neighbours is over for a rank: when so many of the messages that it expects are still
/// missing at most, those of rounds before counted in.
struct neighbor_options {
    /// All but this part of the messages of one round: 1 waits for all, 0 lets a round's worth be missing.
    double fraction = 1;
    /// Or all but this many of them, if not negative.
    std::int64_t count = -1;
};

struct iexchange_options {
    /// Buffers with fewer bytes for their next rank are kept back, for more to come, ...
    std::size_t min_bytes = 0;
    /// ... but no longer than so many seconds, and not when this rank has nothing else to do.
    double max_hold = 0.001;
    /// While the blocks of a rank have more input than this, it receives only what it must: those who send
    /// to it get slower.
    std::size_t queue_bytes = std::size_t{64} << 20;
};

struct iexchange_counters {
    std::int64_t callbacks = 0;
    std::int64_t local_runs = 0;  ///< between blocks of this rank
    std::int64_t remote_runs = 0; ///< to other ranks
    std::int64_t held_back = 0;   ///< times that a callback had to wait for room for what others had sent
    std::size_t most_queued_bytes = 0;
};

} // namespace weft
