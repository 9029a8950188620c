/// Gravity: a star cluster whose stars attract each other, ten steps of the leapfrog, and a snapshot.
/// Run: mpirun -n 4 example_17_star_cluster [SNAPSHOT.dat]
#include <weft/nbody/nbody_system.hpp>
#include <weft/nbody/plummer.hpp>
#include <weft/snapshots/snapshot.hpp>
#include <weft/weft.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    return weft::run(argc, argv, [&](weft::communicator comm) {
        std::vector<weft::particle> mine = weft::generate_plummer(comm, {.particles = 2000});
        for (weft::particle& each : mine) each.softening = 0.05;
        weft::nbody_system cluster{comm, std::move(mine), {.theta = 0.5}};
        cluster.find_forces();
        weft::nbody_totals const before = cluster.totals(); // collective, the same on all ranks
        for (int step = 0; step < 10; ++step) cluster.advance(0.01);
        weft::nbody_totals const after = cluster.totals();
        double const energy = before.kinetic + before.potential;
        double const drift = std::abs((after.kinetic + after.potential) / energy - 1);

        if (argc > 1) {
            auto const stars = cluster.particles(); // those that this rank has now
            weft::write_particles(comm, argv[1], {stars.begin(), stars.end()}, 0.1);
        }
        if (comm.rank() == 0)
            std::printf("%lld stars of mass %.3f, energy %.3f, drift below 1e-4: %s\n",
                static_cast<long long>(after.particles), after.mass, energy, drift < 1e-4 ? "yes" : "no");
    });
}
