/// A cache of freed blocks of memory. Private.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace weft {

/// A cache of freed blocks hides uses of a block after it was freed, so checked builds have
/// none.
#ifdef WEFT_FULL_CHECKS
inline constexpr bool keeps_freed_blocks = false;
#else
inline constexpr bool keeps_freed_blocks = true;
#endif

/// Keeps some blocks of a thread. The C library returns large blocks to the system when they are freed, so
/// the next block of the same size costs a page fault every 4 KiB: for messages of a megabyte that is ten
/// times the time of copying them. It merges and splits blocks of more than a kilobyte. Bounded: at most
/// `most_blocks`, with at most `most_bytes_` bytes together.
class block_cache {
public:
    static constexpr std::size_t most_blocks = 8;

    struct block {
        void* start = nullptr;
        std::size_t bytes = 0;
    };

    explicit block_cache(std::size_t most_bytes) : most_bytes_(most_bytes) {}
    block_cache(block_cache const&) = delete;
    block_cache& operator=(block_cache const&) = delete;
    ~block_cache() {
        while (count_ > 0) std::free(take_out(0).start);
    }

    /// Takes the smallest block that holds `bytes` and wastes at most as much; a null block if there is none.
    [[nodiscard]] block take(std::size_t bytes) noexcept {
        std::size_t best = count_;
        for (std::size_t i = 0; i < count_; ++i)
            if (kept_[i].bytes >= bytes && kept_[i].bytes / 2 <= bytes &&
                (best == count_ || kept_[i].bytes < kept_[best].bytes))
                best = i;
        return best == count_ ? block{} : take_out(best);
    }

    /// Keeps the block, in place of the oldest ones if necessary, or frees it.
    void give(block freed) noexcept {
        if (freed.bytes > most_bytes_ / 2) return std::free(freed.start);
        while (count_ == most_blocks || bytes_ + freed.bytes > most_bytes_) std::free(take_out(0).start);
        kept_[count_++] = freed;
        bytes_ += freed.bytes;
    }

private:
    block take_out(std::size_t place) noexcept {
        block const out = kept_[place];
        std::move(kept_.begin() + static_cast<std::ptrdiff_t>(place) + 1,
            kept_.begin() + static_cast<std::ptrdiff_t>(count_),
            kept_.begin() + static_cast<std::ptrdiff_t>(place));
        --count_;
        bytes_ -= out.bytes;
        return out;
    }

    std::size_t most_bytes_;
    std::array<block, most_blocks> kept_; // the oldest first
    std::size_t count_ = 0;
    std::size_t bytes_ = 0;
};

} // namespace weft
