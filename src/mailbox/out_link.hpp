/// The link of a rank to one next rank. Private.
#pragma once

#include "rings.hpp"

#include <weft/core/buffer.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

namespace weft {

/// The classes of hops: one waits for room only in those after it.
enum class hop : std::uint8_t {
    gather,  ///< to a rank of the own node that passes on
    between, ///< to another node
    deliver, ///< to the receiver on its node
};
inline constexpr int hop_count = 3;

/// A buffer that is being filled, waits, or is under way: in a ring, or on the heap.
struct out_slot {
    std::byte* base = nullptr; ///< null: there is none
    std::byte* used = nullptr;
    std::byte* end = nullptr;
    int ring_place = -1;  ///< on the heap if negative
    bool spilled = false; ///< beyond what the buffers may take
    std::uint32_t channels = 0;
    buffer heap = {};

    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(used - base); }
};

struct out_link {
    int peer = 0;
    hop kind = hop::deliver;
    std::optional<out_ring> to_ring = {}; ///< nothing: by messages
    std::size_t slot_bytes = 0;
    std::size_t longest_chunk = 0; ///< what a destination takes of a buffer at a time, at most
    bool one_place = false;        ///< alone is reached by it
    out_slot open = {};
    std::vector<std::uint32_t> open_places = {}; ///< numbers of cursors with a chunk of the open buffer
    std::list<out_slot> waiting = {};            ///< closed, in order; takes no memory while there is none
    struct flight {
        request pending;
        out_slot slot;
    };
    std::vector<flight> flights = {};
    bool listed_open = false; ///< in the list of those with an open buffer
    bool listed_busy = false; ///< in the list of those with waiting buffers or flights
};

} // namespace weft
