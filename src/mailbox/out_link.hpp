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
    int ring_place = -1;     ///< on the heap if negative
    bool spilled = false;    ///< beyond what the buffers may take
    std::size_t counted = 0; ///< the bytes of the heap that it stands for in the books
    std::uint32_t channels = 0;
    buffer heap = {};

    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(used - base); }
};

/// Where the runs of a link in the pool are about to go.
enum class leaving : std::uint8_t { no, as_message, as_spill };

struct out_link {
    int peer = 0;
    hop kind = hop::deliver;
    std::optional<out_ring> to_ring = {}; ///< nothing: by messages
    std::size_t slot_bytes = 0;
    std::size_t longest_chunk = 0;               ///< what a destination takes of a buffer at a time, at most
    bool one_place = false;                      ///< alone is reached by it
    bool pooled = false;                         ///< its runs are in the pool until they leave
    std::size_t held = 0;                        ///< bytes of the pool
    leaving leaves = leaving::no;                ///< from there, for as long as `quota` lasts
    std::size_t quota = 0;                       ///< bytes of the pool that may leave
    std::size_t left_of_quota = 0;               ///< while chunks are gone through
    std::size_t to_write = 0;                    ///< bytes of runs, while messages are put together
    out_slot open = {};                          ///< of a pooled link: the message that is being put together
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
