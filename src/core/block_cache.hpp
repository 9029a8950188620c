/// Large blocks of memory that were freed and will be wanted again. Private.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace weft {

/// Keeps some large blocks of a thread. The C library gives such blocks back to the system when they are
/// freed, so that the next of the same size costs a page fault every 4 KiB: for messages of a megabyte that
/// is ten times the time of copying them. Bounded: at most `most_blocks` of at most `most_bytes` together.
class block_cache {
public:
    static constexpr std::size_t least_block = std::size_t{32} << 10; ///< smaller ones are not kept
    static constexpr std::size_t most_bytes = std::size_t{32} << 20;
    static constexpr std::size_t most_blocks = 8;

    struct block {
        void* start = nullptr;
        std::size_t bytes = 0;
    };

    block_cache() = default;
    block_cache(block_cache const&) = delete;
    block_cache& operator=(block_cache const&) = delete;
    ~block_cache() {
        for (block const& each : kept_) std::free(each.start);
    }

    /// The smallest block kept that holds `bytes` and wastes at most as much; none: a null block.
    [[nodiscard]] block take(std::size_t bytes) noexcept {
        block* best = nullptr;
        for (block& each : kept_)
            if (each.bytes >= bytes && each.bytes / 2 <= bytes &&
                (best == nullptr || each.bytes < best->bytes))
                best = &each;
        if (best == nullptr) return {};
        bytes_ -= best->bytes;
        return std::exchange(*best, {});
    }

    /// Keeps the block, in place of the oldest if need be, or frees it.
    void give(block freed) noexcept {
        if (freed.bytes > most_bytes / 2) return std::free(freed.start);
        for (std::size_t tried = 0; tried < most_blocks; ++tried) {
            block& place = kept_[next_];
            next_ = (next_ + 1) % most_blocks;
            if (place.start != nullptr && tried + 1 < most_blocks && bytes_ + freed.bytes <= most_bytes)
                continue; // there may be an empty place
            bytes_ -= place.bytes;
            std::free(std::exchange(place, {}).start);
            if (bytes_ + freed.bytes > most_bytes) continue;
            bytes_ += freed.bytes;
            place = freed;
            return;
        }
        std::free(freed.start);
    }

private:
    std::array<block, most_blocks> kept_;
    std::size_t next_ = 0;
    std::size_t bytes_ = 0;
};

} // namespace weft
