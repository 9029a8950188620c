/// Rings in shared memory, tuned by hand: the limit of what a mailbox can reach on one node.
#pragma once

#include "patience.hpp"
#include "shared_block.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <type_traits>

namespace weft::limits {

/// Large slots are faster, though no sender waits for small ones either (1.5 times from 16 to 128 KiB, on two
/// cores with 1 MiB of cache each): a line seems cheaper to take from the cache that the cores share than
/// from another core's. Many ranks may want smaller slots.
struct ring_shape {
    std::size_t slot_bytes = 128 * 1024;
    int slots = 4;
};

/// One ring of slots for every ordered pair of ranks, in the part of the receiver. A sender writes items
/// straight into its slot and publishes it with one store; the receiver handles the items where they lie and
/// gives the slot back with one store.
class tuned_ring {
public:
    /// Collective. Throws: `usage_error`, on all ranks, where they do not all share memory, or where a slot
    /// is not made of whole cache lines.
    explicit tuned_ring(communicator const& comm, ring_shape shape = {});

    /// Sends `Item(source)` to `owner(source)` for every source, and handles with `handler(item)` what the
    /// others send. Collective; returns when this rank has handled everything sent to it in this run.
    /// The handler is copied for every slot, so that what it captures stays in registers: it points to what
    /// it changes.
    template <class Item, class Source, class Owner, class Handler>
    void run(std::span<Source const> sources, Owner owner, Handler handler) {
        static_assert(std::is_trivially_copyable_v<Item>);
        stream<Item>(
            sources, owner, [](Source const& source) { return static_cast<Item>(source); },
            [&handler](Item const* item, Item const* end) {
                for (Handler local = handler; item != end; ++item) local(*item);
            });
    }

    /// The same with what `async(destination, function, arguments)` costs at least: every item has a header
    /// that names its function and its size, and is handled by a call through a table of functions.
    template <class Item, class Source, class Owner, class Handler>
    void run_calls(std::span<Source const> sources, Owner owner, Handler handler) {
        static_assert(std::is_trivially_copyable_v<Item> && alignof(Item) <= alignof(call_header));
        functions_[0] = [](void* context, std::byte const* item) {
            (*static_cast<Handler*>(context))(*reinterpret_cast<Item const*>(item));
        };
        stream<called<Item>>(
            sources, owner,
            [](Source const& source) {
                return called<Item>{{0, sizeof(called<Item>)}, static_cast<Item>(source)};
            },
            [functions = functions_.data(), context = &handler](
                called<Item> const* begin, called<Item> const* end) {
                auto const* const last = reinterpret_cast<std::byte const*>(end);
                for (auto const* at = reinterpret_cast<std::byte const*>(begin); at != last;) {
                    call_header const header = *reinterpret_cast<call_header const*>(at);
                    functions[header.function](context, at + sizeof(call_header));
                    at += header.bytes;
                }
            });
    }

private:
    struct alignas(8) call_header {
        std::uint32_t function;
        std::uint32_t bytes; ///< with the header
    };
    template <class Item>
    struct called {
        call_header header;
        Item item;
    };
    using function = void (*)(void* context, std::byte const* item);

    /// The state of a slot, in a cache line of its own. 0: the sender's. Else the receiver's: the number of
    /// items, above two bits.
    struct alignas(cache_line) slot_state {
        static constexpr std::uint64_t full = 1;
        static constexpr std::uint64_t last = 2; ///< the sender's last slot of this run
        std::atomic<std::uint64_t> value;
    };

    /// One end of a ring.
    struct ring_end {
        slot_state* states = nullptr;
        std::byte* slots = nullptr;
        int slot = 0; ///< the next one to publish or to handle
    };

    /// Where the next item for a destination goes; the sender's hot data.
    template <class Frame>
    struct cursor {
        Frame* next;
        Frame* end;
    };

    template <class Frame>
    [[nodiscard]] Frame* slot_of(ring_end const& ring) const noexcept {
        return reinterpret_cast<Frame*>(ring.slots + static_cast<std::size_t>(ring.slot) * shape_.slot_bytes);
    }
    template <class Frame>
    [[nodiscard]] cursor<Frame> open_slot(ring_end const& ring) const noexcept {
        Frame* const first = slot_of<Frame>(ring);
        return {first, first + shape_.slot_bytes / sizeof(Frame)};
    }
    void hand_over(ring_end& ring, std::uint64_t items, std::uint64_t bits) noexcept {
        ring.states[ring.slot].value.store(items << 2 | bits, std::memory_order_release);
        ring.slot = ring.slot + 1 == shape_.slots ? 0 : ring.slot + 1;
    }

    template <class Frame, class Source, class Owner, class Make, class Handle>
    void stream(std::span<Source const> sources, Owner owner, Make make, Handle handle);
    template <class Frame, class Handle>
    [[gnu::noinline]] cursor<Frame> next_slot(int to, std::uint64_t items, Handle& handle);
    template <class Frame, class Handle>
    [[gnu::noinline]] bool poll(Handle& handle);

    communicator comm_;
    ring_shape shape_;
    shared_block memory_;
    std::vector<ring_end> outgoing_;      // by destination; this rank's own is never published
    std::vector<ring_end> incoming_;      // by sender
    std::vector<int> senders_;            // those that have not ended this run
    std::array<function, 1> functions_{}; // what the headers of items count
};

template <class Frame, class Source, class Owner, class Make, class Handle>
void tuned_ring::stream(std::span<Source const> sources, Owner owner, Make make, Handle handle) {
    int const ranks = comm_.size();
    senders_.clear();
    for (int i = 1; i < ranks; ++i) senders_.push_back((comm_.rank() + i) % ranks);
    // Every cursor points into a slot that is free: the end of a run has waited for it.
    std::vector<cursor<Frame>> cursors;
    for (ring_end const& ring : outgoing_) cursors.push_back(open_slot<Frame>(ring));

    cursor<Frame>* const at = cursors.data();
    for (Source const& source : sources) {
        auto const to = static_cast<std::size_t>(owner(source));
        cursor<Frame>& mine = at[to];
        Frame* const next = mine.next;
        *next = make(source);
        mine.next = next + 1;
        if (next + 1 == mine.end) [[unlikely]]
            mine = next_slot<Frame>(static_cast<int>(to), shape_.slot_bytes / sizeof(Frame), handle);
    }

    for (int to = 0; to < ranks; ++to) {
        ring_end& ring = outgoing_[static_cast<std::size_t>(to)];
        auto const items = static_cast<std::uint64_t>(at[to].next - slot_of<Frame>(ring));
        if (to == comm_.rank())
            handle(slot_of<Frame>(ring), at[to].next);
        else
            hand_over(ring, items, slot_state::full | slot_state::last);
    }
    patience waiting;
    while (!senders_.empty())
        if (!poll<Frame>(handle)) waiting.wait();
    for (int to = 0; to < ranks; ++to) {
        ring_end const& ring = outgoing_[static_cast<std::size_t>(to)];
        while (ring.states[ring.slot].value.load(std::memory_order_acquire) != 0) waiting.wait();
    }
}

/// Publishes a full slot, handles what has come, and waits for the next slot of that ring.
template <class Frame, class Handle>
tuned_ring::cursor<Frame> tuned_ring::next_slot(int to, std::uint64_t items, Handle& handle) {
    ring_end& ring = outgoing_[static_cast<std::size_t>(to)];
    if (to == comm_.rank()) {
        Frame* const first = slot_of<Frame>(ring);
        handle(first, first + items);
        return open_slot<Frame>(ring);
    }
    hand_over(ring, items, slot_state::full);
    poll<Frame>(handle);
    patience waiting;
    while (ring.states[ring.slot].value.load(std::memory_order_acquire) != 0)
        if (!poll<Frame>(handle)) waiting.wait();
    return open_slot<Frame>(ring);
}

/// Handles all slots that have come; false: none had.
template <class Frame, class Handle>
bool tuned_ring::poll(Handle& handle) {
    bool found = false;
    for (std::size_t i = 0; i < senders_.size();) {
        ring_end& ring = incoming_[static_cast<std::size_t>(senders_[i])];
        std::uint64_t const state = ring.states[ring.slot].value.load(std::memory_order_acquire);
        if (state == 0) {
            ++i;
            continue;
        }
        found = true;
        Frame const* const first = slot_of<Frame>(ring);
        handle(first, first + (state >> 2));
        hand_over(ring, 0, 0);
        if ((state & slot_state::last) != 0) {
            senders_[i] = senders_.back();
            senders_.pop_back();
        }
    }
    return found;
}

} // namespace weft::limits
