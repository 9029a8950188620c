/// The content of the buffers of a mailbox. Private.
///
/// A buffer begins with a `slot_head`, followed by runs. A run has a `run_head` and the messages of one
/// channel for one destination, padded to a multiple of 16 bytes, so that items with an alignment up to 16
/// can be handled in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft {

inline constexpr std::size_t run_alignment = 16;

[[nodiscard]] constexpr std::size_t run_aligned(std::size_t bytes) noexcept {
    return (bytes + run_alignment - 1) / run_alignment * run_alignment;
}

struct slot_head {
    std::uint32_t channels; ///< one more than the highest channel number in the buffer
    std::uint32_t phase;    ///< of the sender; messages after a drain wait for the receiver's drain to end
    std::uint64_t print;    ///< fingerprint of these channels; a receiver with another one must not read it
};

/// The receivers of a run.
enum class delivery : std::uint8_t {
    to_rank, ///< `destination`
    to_node, ///< all ranks on the node of the rank that receives it
    by_core, ///< all ranks of all nodes that the receiving rank serves
    nobody,  ///< a hole between runs
};

struct run_head {
    std::uint16_t channel;
    delivery how;
    bool piece; ///< a piece of a message longer than a run
    std::uint32_t bytes;
    std::int32_t destination;
    std::int32_t source;
};

/// The head of a piece of a long message, after that of its run.
struct piece_head {
    std::uint64_t message_bytes;
    std::uint64_t number; ///< number of the message at its source
};

static_assert(sizeof(slot_head) == run_alignment && sizeof(run_head) == run_alignment &&
              sizeof(piece_head) == run_alignment);

/// The part of a message in a run.
enum class run_part : std::uint8_t { whole, piece, last_piece };

/// The rank that counts the messages of a run as sent: only their origin does so.
enum class run_origin : std::uint8_t { own, forwarded };

/// Returns the properties that adjoining runs must share to be joined. Never 0.
[[nodiscard]] constexpr std::uint64_t run_key(
    int channel, delivery how, run_part part, int source, run_origin origin = run_origin::own) noexcept {
    return std::uint64_t{static_cast<std::uint32_t>(source)} << 32 |
           std::uint64_t{static_cast<std::uint8_t>(origin)} << 28 |
           std::uint64_t{static_cast<std::uint8_t>(part)} << 24 |
           std::uint64_t{static_cast<std::uint8_t>(how)} << 16 | static_cast<std::uint64_t>(channel + 1);
}

[[nodiscard]] constexpr run_part part_of(std::uint64_t key) noexcept {
    return static_cast<run_part>((key >> 24) & 0xF);
}

[[nodiscard]] constexpr run_origin origin_of(std::uint64_t key) noexcept {
    return static_cast<run_origin>((key >> 28) & 0xF);
}

[[nodiscard]] constexpr run_head head_of(std::uint64_t key, int destination) noexcept {
    return {static_cast<std::uint16_t>((key & 0xFFFF) - 1), static_cast<delivery>((key >> 16) & 0xFF),
        part_of(key) != run_part::whole, 0, destination, static_cast<std::int32_t>(key >> 32)};
}

[[nodiscard]] inline run_head read_head(std::byte const* at) noexcept {
    run_head head;
    std::memcpy(&head, at, sizeof head);
    return head;
}

/// Marks `bytes` bytes as a hole: a positive multiple of `run_alignment`.
inline void put_hole(std::byte* at, std::size_t bytes) noexcept {
    run_head hole{};
    hole.how = delivery::nobody;
    hole.bytes = static_cast<std::uint32_t>(bytes - sizeof hole);
    std::memcpy(at, &hole, sizeof hole);
}

} // namespace weft
