// A particle per rank goes straight through the blocks of all ranks: weft::tracing.
#include <weft/tracing/trace_particles.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

int main(int argc, char** argv) {
    weft::environment const env{argc, argv};
    weft::communicator const comm = env.world();
    std::vector<weft::vector3> const seeds{{0, 1, 1}};
    auto const velocity = [](std::size_t, weft::box<std::int64_t> const&, std::span<double> values) {
        std::ranges::fill(values, 1);
    };
    auto const found =
        weft::trace_particles(comm, {.points = {9, 9, 9}}, velocity, seeds, {.step = 1, .max_steps = 5});
    weft::trace_totals const& all = found.totals;
    bool const right = all.seeds == comm.size() && all.inside == comm.size() &&
                       all.steps == 5 * comm.size() && std::abs(all.mean_final[0] - 5) < 1e-12 &&
                       std::abs(all.mean_final[2] - 6) < 1e-12;
    return right ? 0 : 1;
}
