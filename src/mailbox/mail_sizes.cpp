#include "rings.hpp"
#include "run.hpp"

#include <weft/extend/protocol/repeated_census.hpp>

#include <algorithm>
#include <bit>

namespace weft {

namespace {

/// Returns the largest power of two up to `bytes`, clamped to the bounds.
std::size_t slot_of(std::int64_t bytes, std::size_t least, std::size_t most) {
    return std::clamp(
        std::bit_floor(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))), least, most);
}

/// If two wire buffers for each next rank would be at most this long, the links share a pool: this halves the
/// number of messages and reduces copies at 8 and 28 ranks (ADR 140).
constexpr std::size_t longest_of_own = 4096;

std::size_t rings_of(mail_sizes const& sizes) {
    return static_cast<std::size_t>(sizes.ring_classes) * static_cast<std::size_t>(sizes.ring_ranks);
}

} // namespace

mail_sizes::mail_sizes(topology const& nodes, route how, std::int64_t bytes, bool shared) {
    bool const passes_on = nodes.node_count() > 1 && (how == route::node_local || how == route::nlnr);
    int const size = [&] {
        int ranks = 0;
        for (int node = 0; node < nodes.node_count(); ++node)
            ranks += static_cast<int>(nodes.ranks_of(node).size());
        return ranks;
    }();
    ring_classes = passes_on ? 2 : 1;
    ring_ranks = shared ? nodes.largest_node() : 1; // a rank sends to itself, too
    ring_slots = 4;
    // Partners reached by messages: on other nodes, and on the own node without shared memory.
    int const nodes_between = nodes.node_count() - 1;
    int const cores = nodes.largest_node();
    int partners = how == route::direct ? size - cores
                   : how == route::nlnr ? (nodes_between + cores - 1) / cores
                                        : nodes_between;
    if (!shared) partners += ring_classes * (cores - 1);
    constexpr std::size_t least = 1024;
    constexpr std::size_t longest = 32768;
    std::int64_t for_rings = bytes / 4;
    wire_bound = bytes / 4;
    spill_bound = bytes / 4;
    wire_slot = slot_of(wire_bound / std::max(2 * partners, 1), least, longest);
    if (partners > 0 && wire_slot <= longest_of_own) {
        for_rings = ring_ranks == 1 ? bytes / 16 : bytes / 16 * 3;
        spill_bound = bytes / 32;
        wire_bound = bytes / 32 * 7;
        pool_bytes = std::max(static_cast<std::size_t>(bytes / 16 * (ring_ranks == 1 ? 9 : 7)), 2 * least);
        int const classes = (nodes_between > 0 ? 1 : 0) + (shared || cores == 1 ? 0 : ring_classes);
        wire_slot =
            std::clamp(static_cast<std::size_t>(bytes / (64 * classes) * 7) / 64 * 64, least, longest);
    }
    most_received =
        pool_bytes > 0 ? 2 : std::max(4, static_cast<int>(bytes / 16 / static_cast<std::int64_t>(wire_slot)));
    ring_slot = slot_of(for_rings / (ring_classes * ring_ranks * ring_slots), least, 131072);
}

std::size_t mail_sizes::control_bytes() const noexcept {
    return repeated_census::shared_bytes + rings_of(*this) * sizeof(ring::words);
}

std::size_t mail_sizes::shared_bytes() const noexcept {
    return control_bytes() + rings_of(*this) * static_cast<std::size_t>(ring_slots) * ring_slot;
}

ring ring_at(std::byte* part, mail_sizes const& sizes, int ring_class, int sender) noexcept {
    auto const number = static_cast<std::size_t>(ring_class) * static_cast<std::size_t>(sizes.ring_ranks) +
                        static_cast<std::size_t>(sender);
    std::byte* const lines = part + repeated_census::shared_bytes;
    std::byte* const slots = lines + rings_of(sizes) * sizeof(ring::words);
    ring made;
    made.line = reinterpret_cast<ring::words*>(lines + number * sizeof(ring::words));
    made.slots = slots + number * static_cast<std::size_t>(sizes.ring_slots) * sizes.ring_slot;
    made.count = sizes.ring_slots;
    made.slot_bytes = sizes.ring_slot;
    return made;
}

} // namespace weft
