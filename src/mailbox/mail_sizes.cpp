#include "rings.hpp"
#include "run.hpp"

#include <weft/extend/protocol/repeated_census.hpp>

#include <algorithm>
#include <bit>

namespace weft {

namespace {

/// The largest power of two in the bounds that is not above `bytes`, if there is one.
std::size_t slot_of(std::int64_t bytes, std::size_t least, std::size_t most) {
    return std::clamp(
        std::bit_floor(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))), least, most);
}

std::size_t rings_bytes(mail_sizes const& sizes) {
    return static_cast<std::size_t>(sizes.ring_classes) * static_cast<std::size_t>(sizes.ring_ranks);
}

} // namespace

mail_sizes::mail_sizes(topology const& nodes, route how, std::int64_t bytes, bool shared) {
    std::int64_t const quarter = bytes / 4;
    bool const passes_on = nodes.node_count() > 1 && (how == route::node_local || how == route::nlnr);
    int const size = [&] {
        int ranks = 0;
        for (int node = 0; node < nodes.node_count(); ++node)
            ranks += static_cast<int>(nodes.ranks_of(node).size());
        return ranks;
    }();
    ring_classes = passes_on ? 2 : 1;
    ring_ranks = shared ? nodes.largest_node() : 1; // at least for what a rank sends to itself
    ring_slots = 4;
    ring_slot = slot_of(quarter / (ring_classes * ring_ranks * ring_slots), 1024, 131072);
    // Partners that are reached by messages: on other nodes, and without shared memory on the own one.
    int const nodes_between = nodes.node_count() - 1;
    int const cores = nodes.largest_node();
    int partners = how == route::direct ? size - cores
                   : how == route::nlnr ? (nodes_between + cores - 1) / cores
                                        : nodes_between;
    if (!shared) partners += ring_classes * (cores - 1);
    wire_slot = slot_of(quarter / std::max(2 * partners, 1), 1024, 32768);
    wire_bound = quarter;
    spill_bound = quarter;
}

std::size_t mail_sizes::shared_bytes() const noexcept {
    std::size_t const line = sizeof(ring::words);
    return repeated_census::shared_bytes +
           rings_bytes(*this) * (line + static_cast<std::size_t>(ring_slots) * ring_slot);
}

ring ring_at(std::byte* part, mail_sizes const& sizes, int ring_class, int sender) noexcept {
    auto const number = static_cast<std::size_t>(ring_class) * static_cast<std::size_t>(sizes.ring_ranks) +
                        static_cast<std::size_t>(sender);
    std::byte* const lines = part + repeated_census::shared_bytes;
    std::byte* const slots = lines + rings_bytes(sizes) * sizeof(ring::words);
    ring made;
    made.line = reinterpret_cast<ring::words*>(lines + number * sizeof(ring::words));
    made.slots = slots + number * static_cast<std::size_t>(sizes.ring_slots) * sizes.ring_slot;
    made.count = sizes.ring_slots;
    made.slot_bytes = sizes.ring_slot;
    return made;
}

} // namespace weft
