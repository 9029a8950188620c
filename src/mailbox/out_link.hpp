/// The link of a rank to a next rank. Private.
#pragma once

#include "line_release.hpp"
#include "rings.hpp"

#include <weft/core/buffer.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

namespace weft {

/// The classes of hops: a hop waits for room only in later classes.
enum class hop : std::uint8_t {
    gather,  ///< to a rank of the own node that passes messages on
    between, ///< to another node
    deliver, ///< to the receiver on its node
};
inline constexpr int hop_count = 3;

/// A buffer that is being filled, waits, or is being sent: in a ring, or on the heap.
struct out_slot {
    std::byte* base = nullptr; ///< null: there is no buffer
    std::byte* used = nullptr;
    std::byte* end = nullptr;
    int ring_place = -1;     ///< negative: on the heap
    bool spilled = false;    ///< beyond the bound of the buffers
    std::size_t counted = 0; ///< bytes of the heap that are counted for it
    std::uint32_t channels = 0;
    buffer heap = {};

    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(used - base); }
};

/// The destination of the runs of a link in the pool, when they leave.
enum class leaving : std::uint8_t { no, as_message, as_spill };

struct out_link {
    int peer = 0;
    hop kind = hop::deliver;
    std::optional<out_ring> to_ring = {}; ///< empty: by messages
    line_release lines = {};              ///< of the ring
    std::size_t slot_bytes = 0;
    std::size_t longest_chunk = 0;               ///< most bytes of a buffer for a destination at a time
    bool one_place = false;                      ///< the link reaches a single place
    bool pooled = false;                         ///< runs are in the pool until they leave
    std::size_t held = 0;                        ///< bytes of the pool
    leaving leaves = leaving::no;                ///< how runs leave the pool, up to `quota` bytes
    std::size_t quota = 0;                       ///< bytes of the pool that may leave
    std::size_t left_of_quota = 0;               ///< during a pass over the chunks
    std::size_t to_write = 0;                    ///< bytes of runs, while messages are assembled
    out_slot open = {};                          ///< for a pooled link: the message being assembled
    std::vector<std::uint32_t> open_places = {}; ///< numbers of cursors with a chunk of the open buffer
    std::list<out_slot> waiting = {};            ///< closed, in order; an empty list takes no memory
    struct flight {
        request pending;
        out_slot slot;
    };
    std::vector<flight> flights = {};
    bool listed_open = false; ///< is in the list of links with an open buffer
    bool listed_busy = false; ///< is in the list of links with waiting buffers or flights
};

} // namespace weft
