/// What is held back leaves in time, and the counters tell what has travelled.
#include <weft/blocks/block_options.hpp>

#include "block_rig.hpp"

#include <weft/blocks/block_set.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <cstdint>

using weft::block_id;
using weft::block_port;

TEST(iexchange_options, messages_that_are_held_back_leave_when_there_is_nothing_else_to_do) {
    struct nothing {};
    weft::communicator const comm = weft_test::world();
    weft::block_set<nothing> blocks(comm, weft_test::cut_into::ring(6), [](block_id) { return nothing{}; });
    std::int64_t mine = 0;
    auto const pass_on = [&](nothing&, block_port<int>& port) {
        for (int const left : port.received()) {
            ++mine;
            if (left > 0) port.send(block_id{(index_of(port.id()) + 1) % 6}, left - 1);
        }
    };
    auto const begin = [&] {
        blocks.for_each_port<int>([](nothing&, block_port<int>& port) {
            if (port.id() == block_id{0}) port.send(block_id{1}, 99);
        });
    };
    begin();
    // An hour and a gigabyte: the test would not end if an idle rank held anything back.
    blocks.iexchange<int>(pass_on, {.min_bytes = std::size_t{1} << 30, .max_hold = 3600});
    EXPECT_EQ(sum(comm, mine), 100);
    auto const counters = blocks.counters();
    EXPECT_EQ(sum(comm, counters.local_runs + counters.remote_runs), 100);
    EXPECT_GE(sum(comm, counters.callbacks), 100);
    begin();
    blocks.iexchange<int>(pass_on, {.queue_bytes = 0});
    EXPECT_EQ(sum(comm, mine), 200);
}
