/// Runs on their way to another rank.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/detail/blocks/run_list.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft::detail {

/// Runs of one round to blocks of one rank, as a message: for each block that sends, and each type of items,
/// a head of 12 bytes, and for each run four bytes and its items, filled up to four. Small, since a message
/// that fits into what MPI sends at once costs half of one that does not. `packed_runs::unpack` reads it.
class packed_message {
public:
    // The four bytes before a run: the receiver's place above `size_bits` bits of its bytes, or one of these.
    static constexpr std::uint32_t next_sender = UINT32_MAX;  ///< a sender_head
    static constexpr std::uint32_t long_run = UINT32_MAX - 1; ///< a long_head, then items at a multiple of 16
    static constexpr int size_bits = 12;
    static constexpr std::uint32_t short_bytes = (1U << size_bits) - 1;    ///< at most
    static constexpr std::uint32_t short_places = UINT32_MAX >> size_bits; ///< fewer than that
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

    /// A new run between two places; where its items go, which are not initialised. Amortised O(1). Where
    /// there is no memory, there is no new run, and the last one cannot be extended.
    std::byte* begin(std::int64_t sender, std::int64_t receiver, item_kind kind, std::size_t bytes) {
        if (sender != sender_ || kind != kind_) put_sender(sender, kind);
        if (bytes > short_bytes || receiver >= short_places) [[unlikely]]
            return begin_long(receiver, bytes);
        last_ = data_.size();
        std::byte* const room = data_.extend(unit + filled_up(bytes));
        put_head(room, static_cast<std::uint32_t>(receiver), bytes);
        return room + unit;
    }
    /// True if the run that was just begun or extended can grow, and was not begun in vain.
    [[nodiscard]] bool can_extend(std::size_t bytes) const noexcept {
        return last_ < data_.size() && bytes_of_last() + bytes <= short_bytes;
    }
    /// It grows; where the new bytes go.
    std::byte* extend(std::size_t bytes) {
        std::size_t const before = bytes_of_last();
        (void)data_.extend(filled_up(before + bytes) - filled_up(before));
        std::byte* const room = data_.data() + last_;
        std::byte* const items = room + unit;
        std::uint32_t head;
        std::memcpy(&head, room, unit);
        std::uint32_t unfilled; // what is there of the items so far
        std::memcpy(&unfilled, items + before / unit * unit, unit);
        put_head(room, head >> size_bits, before + bytes);
        if (before % unit != 0) std::memcpy(items + before / unit * unit, &unfilled, unit);
        return items + before;
    }

    [[nodiscard]] bool empty() const noexcept { return data_.empty(); }
    /// The message; this is empty then.
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
    /// The head, and zeros where items do not fill the end up.
    static void put_head(std::byte* room, std::uint32_t receiver, std::size_t bytes) {
        std::uint32_t const head = receiver << size_bits | static_cast<std::uint32_t>(bytes);
        std::uint32_t const zero = 0;
        std::memcpy(room + filled_up(bytes), &zero, unit); // the last four bytes: of items, of none the head
        std::memcpy(room, &head, unit);
    }
    void put_sender(std::int64_t sender, item_kind kind);
    [[nodiscard]] std::byte* begin_long(std::int64_t receiver, std::size_t bytes);

    buffer data_;
    std::size_t usual_bytes_ = 0; // of those before, up to a bound: what to make room for
    std::int64_t sender_ = -1;    // of the last head
    item_kind kind_ = 0;
    std::size_t last_ = none; // the position of the last run, if it is a short one
};

} // namespace weft::detail
