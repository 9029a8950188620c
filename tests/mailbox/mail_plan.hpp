/// The actions of ranks that use a `mail_engine`, and their buffers. Private.
#pragma once

#include <protocol/sparse_engines.hpp>

#include <weft/core/settings.hpp>
#include <weft/core/topology.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace weft_test {

/// The properties that all ranks of a run share.
struct mail_plan {
    std::vector<weft::topology> nodes; ///< by rank
    weft::route how = weft::route::direct;
    std::optional<weft::mail_sizes> sizes = {};
    bool shared = true;
    int nesting = 32;
    std::size_t cursors = 4096;
    bool grows = false;                       ///< cursors and buffers grow
    std::size_t long_bytes = ~std::size_t{0}; ///< least length of messages that are sent whole
    weft::termination_kind termination = weft::termination_kind::counted_waves;
    bool blocks = false; ///< a sender without room waits until there is room
    int patience = 0;    ///< times that a handler without room may wait
    int phases = 1;
    int most_sends = 10;   ///< of a rank in a phase, at its top level
    int hops = 0;          ///< messages that a message causes in sequence
    bool queues = false;   ///< handlers put messages they cause into a queue, as for `test_empty`
    bool polls = false;    ///< handlers poll
    bool combines = false; ///< some messages are combined on their way
    int throws = 0;        ///< one handler in this number throws, in odd phases; 0: no handler does

    /// Describes the plan in the report of a failure.
    [[nodiscard]] std::string name() const {
        std::string text = "nodes of ranks:";
        for (std::size_t rank = 0; rank < nodes.size(); ++rank)
            text += " " + std::to_string(nodes[rank].node());
        text += ", " + std::string(weft::name_of(how)) + (shared ? "" : ", not shared") + ", rings of " +
                std::to_string(sizes->ring_slots) + " x " + std::to_string(sizes->ring_slot) + ", wire " +
                std::to_string(sizes->wire_slot) + " up to " + std::to_string(sizes->wire_bound) + ", pool " +
                std::to_string(sizes->pool_bytes) + ", spill " + std::to_string(sizes->spill_bound) +
                ", nesting " + std::to_string(nesting) + ", cursors " + std::to_string(cursors) +
                (grows ? " that grow" : "") +
                (~long_bytes == 0 ? "" : ", as they are from " + std::to_string(long_bytes)) + ", " +
                std::string(weft::name_of(termination)) + ", patience " + std::to_string(patience) +
                ", sends " + std::to_string(most_sends) + ", hops " + std::to_string(hops);
        return text + (queues ? ", queues" : "") + (polls ? ", polls" : "") + (combines ? ", combines" : "") +
               (blocks ? ", blocks" : "");
    }
};

/// Draws a plan: small buffers of all kinds.
inline mail_plan drawn_plan(int ranks, std::mt19937_64& random) {
    auto const of = [&](auto const& values) { return values[random() % std::size(values)]; };
    mail_plan made;
    made.nodes = drawn_nodes(ranks, random());
    made.how = of(std::array{
        weft::route::direct, weft::route::node_local, weft::route::node_remote, weft::route::nlnr});
    made.shared = random() % 2 == 0;
    made.sizes.emplace(made.nodes[0], made.how, of(std::array{1, 16384, 65536, 1 << 20}), made.shared);
    weft::mail_sizes& sizes = *made.sizes;
    sizes.ring_slot = of(std::array<std::size_t, 4>{256, 512, 1024, sizes.ring_slot});
    sizes.wire_slot = of(std::array<std::size_t, 4>{256, 512, 1024, sizes.wire_slot});
    sizes.ring_slots = of(std::array{1, 2, 4, 8});
    auto const slot = static_cast<std::int64_t>(sizes.wire_slot);
    sizes.wire_bound = of(std::array<std::int64_t, 4>{0, slot, 4 * slot, sizes.wire_bound});
    sizes.most_received = of(std::array{2, 3, sizes.most_received});
    sizes.pool_bytes = of(std::array<std::size_t, 5>{0, 0, 256, 1024, 8192});
    sizes.spill_bound = of(std::array<std::int64_t, 3>{0, 2 * slot, sizes.spill_bound});
    made.nesting = of(std::array{0, 0, 1, 2, 32});
    made.long_bytes = of(std::array<std::size_t, 3>{0, 2048, ~std::size_t{0}});
    made.cursors = of(std::array<std::size_t, 3>{1, 4, 4096}); // fewer than ranks, or enough
    made.termination = of(std::array{weft::termination_kind::counted_waves,
        weft::termination_kind::four_counters, weft::termination_kind::barrier_consensus});
    made.patience = of(std::array{0, 0, 3, 20});
    made.phases = of(std::array{1, 2, 5});
    made.most_sends = of(std::array{0, 2, 10, 40});
    made.hops = of(std::array{0, 0, 1, 3});
    made.combines = random() % 3 == 0;
    made.grows = random() % 2 == 0;
    return made;
}

} // namespace weft_test
