/// Options and counters of iexchange.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

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
