/// Traces particles through a whirl whose values a function gives, block by block, as a simulation or a file
/// would.
#include <weft/tracing/trace_particles.hpp>
#include <weft/weft.hpp>

#include <cstdio>
#include <span>
#include <vector>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [](weft::communicator comm) {
        weft::vector_grid const grid{.points = {65, 65, 33}};
        // Round the axis x = y = 32, and up; asked for the boxes of points that the blocks of this rank need.
        auto const velocity = [](std::size_t, weft::box<std::int64_t> const& points,
                                  std::span<float> values) {
            std::size_t next = 0;
            for (std::int64_t z = points.lo[2]; z < points.hi[2]; ++z)
                for (std::int64_t y = points.lo[1]; y < points.hi[1]; ++y)
                    for (std::int64_t x = points.lo[0]; x < points.hi[0]; ++x) {
                        values[next++] = static_cast<float>(32 - y);
                        values[next++] = static_cast<float>(x - 32);
                        values[next++] = 0.5F;
                    }
        };
        std::vector<weft::vector3> seeds; // ten in all, dealt to the ranks in turn
        for (int number = comm.rank(); number < 10; number += comm.size())
            seeds.push_back({35.0 + 3 * number, 32, 1});
        weft::traces const found = weft::trace_particles<float>(
            comm, grid, velocity, seeds, {.step = 0.01, .max_steps = 2000, .lines = true});
        if (comm.rank() == 0)
            std::printf("%lld particles, %lld steps, mean length %.1f, mean end at z = %.2f\n",
                static_cast<long long>(found.totals.seeds), static_cast<long long>(found.totals.steps),
                found.totals.mean_path, found.totals.mean_final[2]);
    });
}
