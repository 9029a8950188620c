/// Rings whose receivers release the cache lines that they have read. Private.
#pragma once

#include "rings.hpp"

#include <core/cache_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weft {

/// Tells the sender of a ring whether the receiver should release the lines of the slots that it has read.
/// || A core that writes a line which another core has read takes the line away from that core's cache first.
/// Between cores with a last-level cache in common this is about as fast as releasing the lines. Between
/// other cores it takes four times as long. So the sender now and then times the writing of lines that the
/// receiver has not released: the kernel may move ranks to other cores.
class line_release {
public:
    static constexpr std::size_t timed_lines = 32; ///< of a slot

    /// Returns true if the writing of lines of a slot that is being opened should be timed.
    [[nodiscard]] bool should_time(int place) noexcept {
        return last_[place] >= timed_lines * line_bytes && published_ - timed_at_ >= period;
    }
    /// Takes the seconds that it took.
    void take(double seconds) noexcept {
        timed_at_ = published_;
        // Single times differ: interrupts make them long, and lines may have left the other cache.
        slow_times_ = std::clamp(slow_times_ + (seconds > slow * timed_lines ? 1 : -1), 0, 4);
        releases_ = slow_times_ >= 2;
    }
    /// Returns true if the receiver should release the lines of a slot that is published.
    [[nodiscard]] bool publish(int place, std::size_t bytes) noexcept {
        ++published_;
        bool const is_kept = published_ % kept_one_in == 0;
        bool const now = releases_ && !is_kept;
        last_[place] = now ? 0 : bytes;
        return now;
    }

private:
    /// The number of slots after which one is timed again.
    static constexpr std::uint32_t period = 8;
    /// One slot in 128 is never released, so that the sender can time it. This costs about 1 % of the rate.
    static constexpr std::uint32_t kept_one_in = 128;
    /// The seconds a line from which writing is slow. Measured on an EPYC 9004: 2 ns a line between cores
    /// with a common last-level cache, 12 ns between others.
    static constexpr double slow = 8e-9;

    std::size_t last_[ring::most_slots] = {}; // bytes published last, if the receiver did not release them
    std::uint32_t published_ = 0;             // slots
    std::uint32_t timed_at_ = 0;              // as many were published
    int slow_times_ = 0;
    bool releases_ = false;
};

} // namespace weft
