/// Many links in little memory: they share a pool, so that messages stay long.
#include "simulated_scatter.hpp"

#include <weft/extend/machine/known_machines.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/transport/simulated_machine.hpp>
#include <weft/mailbox/channel.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

using weft::route;
using weft_test::outcome;
using weft_test::scatter;

TEST(pooled_links, messages_stay_long_where_links_have_little_memory) {
    if (weft_test::rank() != 0) return; // the ranks are simulated
    for (int const ranks : {8, 28, 64})
        for (std::int64_t const bytes : {65536, 262144}) {
            SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(bytes) + " bytes");
            constexpr int items = 20'000;
            std::int64_t const links = std::int64_t{ranks} * (ranks - 1);
            outcome const scarce = scatter(ranks, 1, route::direct, bytes, items);
            EXPECT_LE(scarce.messages, 2 * ranks * items * 24 / bytes + 4 * links);
            outcome const ample = scatter(ranks, 1, route::direct, std::int64_t{1} << 26, items);
            // Messages alone take time here, and there are up to four for one.
            EXPECT_LE(scarce.seconds, 4.0 * ample.seconds);
        }
}

TEST(pooled_links, messages_stay_long_whatever_part_of_their_buffers_links_have) {
    if (weft_test::rank() != 0) return;
    constexpr int items = 20'000;
    for (int const ranks : {8, 28, 64}) {
        std::int64_t const links = std::int64_t{ranks} * (ranks - 1);
        std::int64_t const whole = (ranks - 1) * 32768;
        // Of these the last one, at 8 ranks, leaves each link two buffers of its own.
        for (std::int64_t const bytes : {whole / 8, whole / 2, 2 * whole}) {
            SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(bytes) + " bytes");
            EXPECT_LE(scatter(ranks, 1, route::direct, bytes, items).messages,
                2 * ranks * items * 24 / bytes + 4 * links);
        }
    }
}

TEST(pooled_links, every_route_is_as_fast_as_with_ample_memory) {
    if (weft_test::rank() != 0) return;
    for (route const how : {route::direct, route::node_local, route::node_remote, route::nlnr}) {
        SCOPED_TRACE(std::string(weft::name_of(how)));
        outcome const scarce = scatter(128, 8, how, 131072, 4000);
        outcome const ample = scatter(128, 8, how, std::int64_t{1} << 26, 4000);
        EXPECT_LE(scarce.seconds, 2.0 * ample.seconds);
        EXPECT_LE(scarce.messages, 2.0 * static_cast<double>(ample.messages));
    }
}

TEST(pooled_links, the_parts_of_the_memory_are_not_more_than_the_whole) {
    for (int const ranks : {8, 28, 64, 1024})
        for (int const cores : {1, 8})
            for (route const how : {route::direct, route::node_local, route::node_remote, route::nlnr})
                for (bool const shared : {true, false})
                    for (std::int64_t const bytes : {262144, 1 << 20, 1 << 24}) {
                        std::vector<int> node;
                        for (int rank = 0; rank < ranks; ++rank) node.push_back(rank / cores);
                        weft::topology const nodes(0, node);
                        weft::mail_sizes const sizes(nodes, how, bytes, shared && cores > 1);
                        if (sizes.pool_bytes == 0 || sizes.ring_slot == 1024) continue; // the least
                        int const classes = (ranks > cores ? 1 : 0) +
                                            (sizes.ring_ranks > 1 || cores == 1 ? 0 : sizes.ring_classes);
                        std::size_t const rings =
                            sizes.ring_slot * static_cast<std::size_t>(
                                                  sizes.ring_classes * sizes.ring_ranks * sizes.ring_slots);
                        std::size_t const received = 2 * sizes.wire_slot * static_cast<std::size_t>(classes);
                        std::int64_t const all =
                            static_cast<std::int64_t>(sizes.pool_bytes + rings + received) +
                            sizes.wire_bound + sizes.spill_bound;
                        EXPECT_LE(all, bytes / 10 * 11)
                            << ranks << " ranks, " << cores << " a node, " << bytes;
                    }
}
