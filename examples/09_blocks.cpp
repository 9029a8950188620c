/// Blocks: eight numbers, each in a block of its own, on a ring. Neighbours tell each other the greatest
/// number that they know, in rounds, until nobody has news. Run: mpirun -n 3 example_09_blocks
#include <weft/weft.hpp>

#include <algorithm>
#include <cstdio>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        // [readme]
        weft::regular_grid const ring{weft::unit_box(1), 8, {.wrap = true}};
        weft::block_set<int> blocks{
            comm, ring, [](weft::block_id id) { return static_cast<int>(index_of(id)) * 5 % 8; }};

        int rounds = 0;
        auto const tell = [&](int& greatest, weft::block_port<int>& port) {
            int const before = greatest;
            for (int heard : port.received()) greatest = std::max(greatest, heard);
            if (rounds > 0 && greatest == before) return;
            for (weft::block_id neighbor : port.link().ids()) port.send(neighbor, greatest);
        };
        while (blocks.exchange<int>(tell) > 0) ++rounds;
        // [readme]

        int const least = blocks.all_reduce<int>(
            [](int mine, weft::block_id) { return mine; }, [](int a, int b) { return std::min(a, b); });
        if (comm.rank() == 0) std::printf("after %d rounds every block knows %d\n", rounds, least);
    });
}
