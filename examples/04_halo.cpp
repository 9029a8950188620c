/// Blocks and halos: heat spreads on a grid of 64 x 64 cells in 4 x 4 blocks, each with a layer of ghosts
/// around it that its neighbours fill in every step. The same on any number of ranks. Run: mpirun -n 4
/// example_04_halo
#include <weft/weft.hpp>

#include <cstdio>

struct tile {
    weft::block_array<double> heat;
    weft::block_array<double> next;
};

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        // [readme]
        weft::regular_grid const grid{weft::cell_box(64, 64), {4, 4}, {.ghosts = 1}};
        weft::block_set<tile> blocks{comm, grid, [&](weft::block_id id) {
                                         weft::block_array<double> heat{grid, id};
                                         if (contains(heat.core(), {20, 30})) heat(20, 30) = 1000;
                                         return tile{heat, heat};
                                     }};
        for (int step = 0; step < 100; ++step) {
            weft::fill_ghosts(blocks, grid, &tile::heat);
            blocks.for_each([](tile& t, weft::block_id) {
                weft::box const core = t.heat.core();
                for (std::int64_t y = core.lo[1]; y < core.hi[1]; ++y)
                    for (std::int64_t x = core.lo[0]; x < core.hi[0]; ++x) {
                        double flow = 0;
                        if (x > 0) flow += t.heat(x - 1, y) - t.heat(x, y);
                        if (x < 63) flow += t.heat(x + 1, y) - t.heat(x, y);
                        if (y > 0) flow += t.heat(x, y - 1) - t.heat(x, y);
                        if (y < 63) flow += t.heat(x, y + 1) - t.heat(x, y);
                        t.next(x, y) = t.heat(x, y) + 0.2 * flow;
                    }
                std::swap(t.heat, t.next);
            });
        }
        // [readme]

        double const all = blocks.all_reduce<double>(
            [](tile const& t, weft::block_id) {
                double sum = 0;
                t.heat.for_rows(t.heat.core(), [&](std::span<double const> row) {
                    for (double each : row) sum += each;
                });
                return sum;
            },
            [](double a, double b) { return a + b; });
        if (comm.rank() == 0) std::printf("the heat is still %.6f\n", all);
    });
}
