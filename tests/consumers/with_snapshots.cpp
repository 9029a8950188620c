// A program that writes particles and reads them again: weft::snapshots, which brings weft::nbody.
#include <weft/core/environment.hpp>
#include <weft/nbody/plummer.hpp>
#include <weft/snapshots/snapshot.hpp>

int main(int argc, char** argv) {
    weft::environment const env{argc, argv};
    weft::communicator const comm = env.world();
    std::vector<weft::particle> const stars = weft::generate_plummer(comm, {.particles = 10});
    weft::write_particles(comm, "ten_stars.dat", stars);
    return weft::read_particles(comm, "ten_stars.dat").particles.size() == stars.size() ? 0 : 1;
}
