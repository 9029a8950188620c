/// The content of the buffers of a mailbox. Private.
///
/// A buffer begins with a `slot_head`; runs follow, each a `run_head` and the messages of one channel for one
/// destination, filled up to a multiple of 16 bytes, so that items of any alignment up to 16 can be handled
/// where they lie.
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
    std::uint32_t channels; ///< one more than the highest number of a channel in it
    std::uint32_t phase;    ///< of the sender: what was sent after a drain waits for the receiver's to end
    std::uint64_t print;    ///< of these channels at the sender: who has others must not read it
};

/// The receivers of a run.
enum class delivery : std::uint8_t {
    to_rank, ///< `destination`
    to_node, ///< all ranks of the node of who receives it
    by_core, ///< all ranks of all nodes that are reached by who receives it
    nobody,  ///< a hole between runs
};

struct run_head {
    std::uint16_t channel;
    delivery how;
    bool piece; ///< of a message that is too long for a run
    std::uint32_t bytes;
    std::int32_t destination;
    std::int32_t source;
};

/// The head of a piece of a long message, behind that of its run.
struct piece_head {
    std::uint64_t message_bytes;
    std::uint64_t number; ///< of the message at its source
};

static_assert(sizeof(slot_head) == run_alignment && sizeof(run_head) == run_alignment &&
              sizeof(piece_head) == run_alignment);

/// The part of a message that a run has.
enum class run_part : std::uint8_t { whole, piece, last_piece };

/// Where the messages of a run are counted as sent: each once, by the rank that they come from.
enum class run_origin : std::uint8_t { own, forwarded };

/// The facts that runs must have in common to be one. Never 0.
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

/// Marks `bytes` bytes as a hole; a multiple of `run_alignment`, and not 0.
inline void put_hole(std::byte* at, std::size_t bytes) noexcept {
    run_head hole{};
    hole.how = delivery::nobody;
    hole.bytes = static_cast<std::uint32_t>(bytes - sizeof hole);
    std::memcpy(at, &hole, sizeof hole);
}

} // namespace weft
