/// iexchange: walkers hop from block to block. A block is called when walkers have come, and the call
/// returns when no walker is left. Each block counts the visits. Run: mpirun -n 4 example_05_random_walk
#include <weft/weft.hpp>

#include <cstdint>
#include <cstdio>

struct walker {
    std::uint64_t random;
    int hops_left;
};

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        // [readme]
        weft::regular_grid const grid{weft::unit_box(3), 27, {.wrap = true}};
        weft::block_set<std::int64_t> blocks{comm, grid, [](weft::block_id) { return 0; }};

        blocks.for_each_port<walker>(
            [](std::int64_t&, weft::block_port<walker>& port) { // goes with the next exchange
                for (std::uint64_t i = 0; i < 100; ++i)
                    port.send(port.id(), {static_cast<std::uint64_t>(index_of(port.id())) * 100 + i, 50});
            });
        blocks.iexchange<walker>([](std::int64_t& visits, weft::block_port<walker>& port) {
            for (walker w : port.received()) {
                ++visits;
                if (w.hops_left-- == 0) continue;
                w.random = w.random * 6364136223846793005U + 1442695040888963407U;
                port.send(port.link()[(w.random >> 33) % port.link().size()], w);
            }
        }); // no walker is under way, and no block has one
        // [readme]
        auto const visits =
            blocks.all_reduce<std::int64_t>([](std::int64_t mine, weft::block_id) { return mine; },
                [](std::int64_t a, std::int64_t b) { return a + b; });
        if (comm.rank() == 0)
            std::printf("2700 walkers made %ld visits, 51 each\n", static_cast<long>(visits));
    });
}
