#include "trial.hpp"

#include <weft/nbody/nbody_system.hpp>
#include <weft/nbody/plummer.hpp>
#include <weft/snapshots/snapshot.hpp>

namespace arguments {

namespace {

std::vector<weft::particle> given_particles(trial& now) {
    auto mine = weft::generate_plummer(now.comm(), {.particles = 12});
    weft::particle& first = mine.front();
    first.position = now.own("position", first.position);
    first.velocity = now.own("velocity", first.velocity);
    first.mass = now.own("mass", first.mass);
    first.softening = now.own("softening", first.softening);
    first.work = now.own("work", first.work);
    first.index = now.own("index", first.index);
    first.kind = now.own("kind", first.kind);
    return mine;
}

void made_system(trial& now) {
    auto mine = given_particles(now);
    weft::nbody_options how;
    how.theta = now.equal("theta", 0.5);
    how.gravitational_constant = now.equal("gravitational_constant", 1.0);
    how.skew = now.equal("skew", 0.05);
    how.engine = now.equal("engine", how.engine);
    now.under_test([&] {
        weft::nbody_system system(now.comm(), std::move(mine), how);
        system.find_forces();
    });
}

void advanced(trial& now) {
    weft::nbody_system system(now.comm(), weft::generate_plummer(now.comm(), {.particles = 12}));
    system.find_forces();
    auto const step = now.equal("time_step", 0.01);
    now.under_test([&] { system.advance(step); });
}

void plummer(trial& now) {
    weft::plummer_options how;
    how.particles = now.equal("particles", std::int64_t{12}, {13, 0, -1, INT64_MIN});
    how.seed = now.equal("seed", std::uint64_t{1});
    now.under_test([&] { (void)weft::generate_plummer(now.comm(), how); });
}

void written_particles(trial& now, char const* name) {
    auto const mine = given_particles(now);
    auto const file = now.equal("file", now.path(name));
    auto const time = now.equal("time", 1.5);
    now.under_test([&] { weft::write_particles(now.comm(), file, mine, time); });
}

void written_checkpoint(trial& now) {
    auto const mine = given_particles(now);
    auto const file = now.equal("file", now.path("state"));
    auto const time = now.equal("time", 1.5);
    weft::checkpoint_state state;
    state.step = now.equal("step", state.step);
    state.initial_energy = now.equal("initial_energy", state.initial_energy);
    state.gravitational_constant = now.equal("gravitational_constant", state.gravitational_constant);
    now.under_test([&] { weft::write_checkpoint(now.comm(), file, mine, time, state); });
}

void written_forces(trial& now) {
    weft::nbody_system system(now.comm(), weft::generate_plummer(now.comm(), {.particles = 12}));
    system.find_forces();
    auto const file = now.equal("file", now.path("forces.csv"));
    now.under_test([&] { weft::write_forces(now.comm(), file, system); });
}

void read_again(trial& now) {
    std::string const usual = now.path("particles.csv");
    weft::write_particles(now.comm(), usual, weft::generate_plummer(now.comm(), {.particles = 12}));
    auto const file = now.equal("file", usual);
    weft::snapshot_options how;
    how.softening = now.equal("softening", std::optional(0.1));
    how.total_mass = now.equal("total_mass", std::optional<double>());
    now.under_test([&] { (void)weft::read_particles(now.comm(), file, how); });
}

} // namespace

std::vector<call> particle_calls() {
    return {
        {"nbody_system", made_system},
        {"nbody_system::advance", advanced},
        {"generate_plummer", plummer},
        {"write_particles, csv", [](trial& now) { written_particles(now, "a.csv"); }},
        {"write_particles, tipsy", [](trial& now) { written_particles(now, "a.tipsy"); }},
        {"write_particles, gadget", [](trial& now) { written_particles(now, "a.gadget"); }},
        {"write_checkpoint", written_checkpoint},
        {"write_forces", written_forces},
        {"read_particles", read_again},
    };
}

} // namespace arguments
