/// Blocks and halos: heat spreads on a grid of 64 x 64 cells in 4 x 4 blocks, each with a layer of ghosts
/// around it that its neighbours fill in every step. The same on any number of ranks. Run: mpirun -n 4
/// example_04_halo
#include <weft/weft.hpp>

#include <cstdio>
#include <vector>

using cells = weft::regular_grid<std::int64_t>;

struct tile {
    weft::box<std::int64_t> core;
    weft::box<std::int64_t> all; // with ghosts
    std::vector<double> heat;

    std::size_t index(std::int64_t x, std::int64_t y) const {
        return (y - all.lo[1]) * (all.hi[0] - all.lo[0]) + x - all.lo[0];
    }
    double& at(std::int64_t x, std::int64_t y) { return heat[index(x, y)]; }
};

struct cell {
    std::int64_t x, y;
    double heat;
};

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        // [readme]
        cells const grid{weft::cell_box(64, 64), {4, 4}, {.ghosts = 1}};
        auto const make = [&](weft::block_id block) {
            tile made{grid.bounds(block), grid.bounds_with_ghosts(block), {}};
            made.heat.resize((made.all.hi[0] - made.all.lo[0]) * (made.all.hi[1] - made.all.lo[1]));
            if (weft::contains(made.core, {20, 30})) made.at(20, 30) = 1000;
            return made;
        };
        weft::block_set<tile> blocks{comm, grid, make};
        for (int step = 0; step < 100; ++step)
            blocks.exchange<cell>([&](tile& t, weft::block_port<cell>& port) {
                for (cell const& ghost : port.received()) t.at(ghost.x, ghost.y) = ghost.heat;
                tile old = t;
                for (std::int64_t y = t.core.lo[1]; y < t.core.hi[1]; ++y)
                    for (std::int64_t x = t.core.lo[0]; x < t.core.hi[0]; ++x) {
                        double flow = 0;
                        if (x > 0) flow += old.at(x - 1, y) - old.at(x, y);
                        if (x < 63) flow += old.at(x + 1, y) - old.at(x, y);
                        if (y > 0) flow += old.at(x, y - 1) - old.at(x, y);
                        if (y < 63) flow += old.at(x, y + 1) - old.at(x, y);
                        t.at(x, y) += 0.2 * flow;
                        for (weft::block_id const to : grid.blocks_with_ghosts({x, y}))
                            if (to != port.id()) port.send(to, {x, y, t.at(x, y)});
                    }
            });
        // [readme]

        double const all = blocks.all_reduce<double>(
            [](tile const& t, weft::block_id) {
                double sum = 0;
                for (std::int64_t y = t.core.lo[1]; y < t.core.hi[1]; ++y)
                    for (std::int64_t x = t.core.lo[0]; x < t.core.hi[0]; ++x) sum += t.heat[t.index(x, y)];
                return sum;
            },
            [](double a, double b) { return a + b; });
        if (comm.rank() == 0) std::printf("the heat is still %.6f\n", all);
    });
}
