/// Rings of buffers in shared memory, one for each pair of ranks of a node. Private.
#pragma once

#include <weft/detail/core/prefetch.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace weft {

/// A ring in the receiver's part of the memory: a cache line with a word for each slot, and the slots. The
/// sender publishes a slot by storing its word: the number of the slot in the order of sending, its length,
/// and a bit that asks the receiver to release the lines of the slot (`line_release`). The receiver takes
/// slots in that order and frees each by storing 0, in any order, since a handler may still read one while
/// others are handled inside of it.
struct ring {
    static constexpr int most_slots = 8;
    static constexpr std::uint64_t release_bit = std::uint64_t{1} << 31;

    /// The words of a ring, in a cache line of their own.
    struct alignas(64) words {
        std::uint64_t word[most_slots];
    };

    [[nodiscard]] std::atomic_ref<std::uint64_t> word(int place) const noexcept {
        return std::atomic_ref(line->word[place]);
    }
    [[nodiscard]] std::byte* slot(int place) const noexcept {
        return slots + static_cast<std::size_t>(place) * slot_bytes;
    }

    words* line = nullptr;
    std::byte* slots = nullptr;
    int count = 0;
    std::size_t slot_bytes = 0;
};

class out_ring {
public:
    explicit out_ring(ring where) noexcept : ring_(where) {}

    /// Returns a free slot, or -1. Slots are used in turn although others may be free: the slot read
    /// last is still in the receiver's private cache, while older ones have moved to the shared
    /// cache.
    [[nodiscard]] int free_place() const noexcept {
        for (int i = 0; i < ring_.count; ++i) {
            int const place = first_ + i < ring_.count ? first_ + i : first_ + i - ring_.count;
            if (ring_.word(place).load(std::memory_order_acquire) == 0) return place;
        }
        return -1;
    }
    /// Returns true if the receiver has freed all published slots.
    [[nodiscard]] bool is_empty() const noexcept {
        for (int place = 0; place < ring_.count; ++place)
            if (ring_.word(place).load(std::memory_order_acquire) != 0) return false;
        return true;
    }
    [[nodiscard]] std::byte* slot(int place) const noexcept { return ring_.slot(place); }
    void publish(int place, std::size_t bytes, bool releases) noexcept {
        ring_.word(place).store(std::uint64_t{number_} << 32 | (releases ? ring::release_bit : 0) | bytes,
            std::memory_order_release);
        first_ = place + 1 < ring_.count ? place + 1 : 0;
        if (++number_ == 0) number_ = 1;
    }

private:
    ring ring_;
    std::uint32_t number_ = 1; // number of the next slot
    int first_ = 0;            // start of the search for a free slot
};

class in_ring {
public:
    in_ring(ring where, int source) noexcept : ring_(where), source_(source) {}

    struct found {
        int place = -1; ///< -1: nothing has arrived
        std::byte* data = nullptr;
        std::uint32_t bytes = 0;
        bool releases = false; ///< the lines of the slot should be released once it is read
    };
    /// Returns the next slot in order, which stays the next one until `take`.
    [[nodiscard]] found look() const noexcept {
        for (int place = 0; place < ring_.count; ++place) {
            std::uint64_t const word = ring_.word(place).load(std::memory_order_acquire);
            if (word >> 32 == number_)
                return {place, ring_.slot(place), static_cast<std::uint32_t>(word & (ring::release_bit - 1)),
                    (word & ring::release_bit) != 0};
        }
        return {};
    }
    void take() noexcept {
        if (++number_ == 0) number_ = 1;
    }
    void prefetch() const noexcept { detail::prefetch(ring_.line, sizeof *ring_.line); }
    void give_back(int place) noexcept { ring_.word(place).store(0, std::memory_order_release); }
    [[nodiscard]] int source() const noexcept { return source_; }

private:
    ring ring_;
    int source_;
    std::uint32_t number_ = 1;
};

/// Returns the ring of a class and a sender in a rank's part of the memory.
[[nodiscard]] ring ring_at(std::byte* part, mail_sizes const& sizes, int ring_class, int sender) noexcept;

} // namespace weft
