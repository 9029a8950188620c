/// The random walk of example 05 where the blocks do not fit: of the blocks of a rank two are in memory, the
/// others in a scratch file, and two threads run callbacks. Run: mpirun -n 4 example_06_out_of_core
/// [directory]
#include <weft/weft.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

struct walker {
    std::uint64_t random;
    int hops_left;
};

struct place {
    std::int64_t visits = 0;
    std::vector<double> field = std::vector<double>(100'000, 1.0); // what makes it large

    static void wire(auto& archive, auto& self) { archive(self.visits, self.field); }
};

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        weft::regular_grid const grid{weft::unit_box(3), 27, {.wrap = true}};
        weft::block_set<place> blocks{comm, grid, [](weft::block_id) { return place{}; },
            {.threads = 2, .blocks_in_memory = 2, .directory = argc > 1 ? argv[1] : "."}};

        blocks.for_each_port<walker>([](place&, weft::block_port<walker>& port) {
            for (std::uint64_t i = 0; i < 100; ++i)
                port.send(port.id(), {static_cast<std::uint64_t>(index_of(port.id())) * 100 + i, 50});
        });
        blocks.iexchange<walker>([](place& here, weft::block_port<walker>& port) {
            for (walker w : port.received()) {
                ++here.visits;
                if (w.hops_left-- == 0) continue;
                w.random = w.random * 6364136223846793005U + 1442695040888963407U;
                port.send(port.link()[(w.random >> 33) % port.link().size()], w);
            }
        });

        std::int64_t const visits =
            blocks.all_reduce<std::int64_t>([](place const& here, weft::block_id) { return here.visits; },
                [](std::int64_t a, std::int64_t b) { return a + b; });
        if (comm.rank() == 0)
            std::printf("2700 walkers made %lld visits, 51 each\n", static_cast<long long>(visits));
    });
}
