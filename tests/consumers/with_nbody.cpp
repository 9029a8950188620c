// Two particles a rank that fall towards each other: weft::nbody.
#include <weft/nbody/nbody_system.hpp>
#include <weft/weft.hpp>

#include <utility>
#include <vector>

int main(int argc, char** argv) {
    weft::environment const env{argc, argv};
    weft::communicator const comm = env.world();
    std::vector<weft::particle> mine(2);
    for (int i = 0; i < 2; ++i) {
        mine[static_cast<std::size_t>(i)].position = {1.0 * comm.rank(), 1.0 * i, 0};
        mine[static_cast<std::size_t>(i)].mass = 1;
    }
    weft::nbody_system bodies{comm, std::move(mine)};
    bodies.advance(0.001);
    weft::nbody_totals const all = bodies.totals();
    return all.particles == 2 * comm.size() && all.potential < 0 ? 0 : 1;
}
