/// Runs packed for another rank.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/detail/blocks/run_list.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft::detail {

/// A message with the runs of one round for the blocks of one rank: a head of 12 bytes for each sending block
/// and type of items; then for each run four bytes and its items, padded to a multiple of four. The format is
/// compact because a message below MPI's eager limit costs half as much as one above it.
/// `packed_runs::unpack` reads it.
class packed_message {
public:
    // The four bytes before a run: the receiver's place above `size_bits` bits of its bytes, or one of these.
    static constexpr std::uint32_t next_sender = UINT32_MAX;  ///< followed by a sender_head
    static constexpr std::uint32_t long_run = UINT32_MAX - 1; ///< a long_head, then items at a multiple of 16
    static constexpr int size_bits = 12;
    static constexpr std::uint32_t short_bytes = (1U << size_bits) - 1;    ///< greatest size
    static constexpr std::uint32_t short_places = UINT32_MAX >> size_bits; ///< places must be below
    static constexpr std::size_t unit = sizeof(std::uint32_t);

    struct sender_head {
        std::uint32_t mark = next_sender;
        item_kind kind;
        std::uint32_t place;
    };
    struct long_head {
        std::uint32_t mark = long_run;
        std::uint32_t unused = 0;
        std::int64_t place;
        std::uint64_t bytes;
    };

    /// Begins a run between two places and returns the address for its items, which are not initialised.
    /// Amortised O(1). If memory is exhausted, no run is added, and the last one cannot be extended.
    std::byte* begin(std::int64_t sender, std::int64_t receiver, item_kind kind, std::size_t bytes) {
        if (sender != sender_ || kind != kind_) put_sender(sender, kind);
        if (bytes > short_bytes || receiver >= short_places) [[unlikely]]
            return begin_long(receiver, bytes);
        last_ = data_.size();
        std::byte* const room = data_.extend(unit + filled_up(bytes));
        put_head(room, static_cast<std::uint32_t>(receiver), bytes);
        return room + unit;
    }
    /// Returns true if the run that was last begun or extended exists and can grow.
    [[nodiscard]] bool can_extend(std::size_t bytes) const noexcept {
        return last_ < data_.size() && bytes_of_last() + bytes <= short_bytes;
    }
    /// Extends the last run and returns the address for the new bytes.
    std::byte* extend(std::size_t bytes) {
        std::size_t const before = bytes_of_last();
        (void)data_.extend(filled_up(before + bytes) - filled_up(before));
        std::byte* const room = data_.data() + last_;
        std::byte* const items = room + unit;
        std::uint32_t head;
        std::memcpy(&head, room, unit);
        std::uint32_t unfilled; // the begin of a partly filled unit
        std::memcpy(&unfilled, items + before / unit * unit, unit);
        put_head(room, head >> size_bits, before + bytes);
        if (before % unit != 0) std::memcpy(items + before / unit * unit, &unfilled, unit);
        return items + before;
    }

    [[nodiscard]] bool empty() const noexcept { return data_.empty(); }
    /// Returns the message and leaves this object empty.
    [[nodiscard]] buffer take();
    void clear() noexcept;

    [[nodiscard]] static constexpr std::size_t filled_up(std::size_t bytes) noexcept {
        return (bytes + unit - 1) / unit * unit;
    }

private:
    static constexpr std::size_t none = SIZE_MAX;

    [[nodiscard]] std::size_t bytes_of_last() const noexcept {
        std::uint32_t head;
        std::memcpy(&head, data_.data() + last_, unit);
        return head & short_bytes;
    }
    /// Writes the head, and zeros as padding after the items.
    static void put_head(std::byte* room, std::uint32_t receiver, std::size_t bytes) {
        std::uint32_t const head = receiver << size_bits | static_cast<std::uint32_t>(bytes);
        std::uint32_t const zero = 0;
        std::memcpy(room + filled_up(bytes), &zero, unit); // the last four bytes, possibly the head itself
        std::memcpy(room, &head, unit);
    }
    void put_sender(std::int64_t sender, item_kind kind);
    [[nodiscard]] std::byte* begin_long(std::int64_t receiver, std::size_t bytes);

    buffer data_;
    std::size_t usual_bytes_ = 0; // size of earlier messages, bounded: the capacity to reserve
    std::int64_t sender_ = -1;    // of the last head
    item_kind kind_ = 0;
    std::size_t last_ = none; // the position of the last run, if it is a short one
};

} // namespace weft::detail
