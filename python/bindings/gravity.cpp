/// Particles that attract each other, and files of them.
#include "call.hpp"

#include <weft/nbody/nbody_system.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/snapshots/snapshot.hpp>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <string>

namespace weft::python {

namespace {

using vectors_in = nb::ndarray<double const, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using scalars_in = nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using integers_in = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Particles that are numbered from `first`, so that results can go back to where they came from.
nbody_system make_system(communicator const& comm, vectors_in const& positions, vectors_in const& velocities,
    scalars_in const& masses, scalars_in const& softenings, std::int64_t first, double theta,
    double constant) {
    std::vector<particle> mine(positions.shape(0));
    for (std::size_t i = 0; i < mine.size(); ++i) {
        std::copy_n(positions.data() + 3 * i, 3, mine[i].position.begin());
        std::copy_n(velocities.data() + 3 * i, 3, mine[i].velocity.begin());
        mine[i].mass = masses.data()[i];
        mine[i].softening = softenings.data()[i];
        mine[i].index = mine[i].id = first + static_cast<std::int64_t>(i);
    }
    collective_call const call(comm, "nbody");
    return {comm, std::move(mine), {.theta = theta, .gravitational_constant = constant}};
}

/// An array with a row of numbers for each particle; `write` fills it.
template <class T, class Write>
nb::ndarray<nb::numpy, T, nb::ndim<1>> rows_of(std::size_t count, std::size_t width, Write&& write) {
    std::vector<T> values(count * width);
    for (std::size_t i = 0; i < count; ++i) write(values.data() + i * width, i);
    return array_of(std::move(values));
}

template <class T, class Write>
auto column(nbody_system const& system, std::size_t width, Write&& write) {
    return rows_of<T>(system.particles().size(), width, write);
}

/// The particles of a file that this rank reads.
dict_by_name particles_of_file(communicator const& comm, std::string const& file,
    std::optional<double> softening, std::optional<double> total_mass) {
    snapshot found;
    {
        collective_call const call(comm, "read_particles");
        found = read_particles(comm, file, {.softening = softening, .total_mass = total_mass});
    }
    std::vector<particle> const& mine = found.particles;
    auto const numbers = [&]<class T>(T particle::*member) {
        return rows_of<T>(mine.size(), 1, [&](T* to, std::size_t i) { *to = mine[i].*member; });
    };
    auto const vectors = [&](std::array<double, 3> particle::*member) {
        return rows_of<double>(
            mine.size(), 3, [&](double* to, std::size_t i) { std::ranges::copy(mine[i].*member, to); });
    };
    dict_by_name made;
    made["positions"] = vectors(&particle::position);
    made["velocities"] = vectors(&particle::velocity);
    made["masses"] = numbers(&particle::mass);
    made["softenings"] = numbers(&particle::softening);
    made["ids"] = numbers(&particle::id);
    made["kinds"] = numbers(&particle::kind);
    made["time"] = found.time;
    made["format"] = found.format;
    return made;
}

/// Writes particles of all ranks, of which those of this rank are the numbers from `first` on.
void write_particles_of(communicator const& comm, std::string const& file, vectors_in const& positions,
    vectors_in const& velocities, scalars_in const& masses, scalars_in const& softenings,
    integers_in const& ids, integers_in const& kinds, std::int64_t first, double time) {
    collective_call const call(comm, "Snapshot.write");
    std::vector<particle> mine;
    agreed(comm, [&] {
        mine.resize(positions.shape(0));
        for (std::size_t i = 0; i < mine.size(); ++i) {
            std::copy_n(positions.data() + 3 * i, 3, mine[i].position.begin());
            std::copy_n(velocities.data() + 3 * i, 3, mine[i].velocity.begin());
            mine[i].mass = masses.data()[i];
            mine[i].softening = softenings.data()[i];
            mine[i].id = ids.data()[i];
            mine[i].kind = kinds.data()[i];
            mine[i].index = first + static_cast<std::int64_t>(i);
        }
    });
    write_particles(comm, file, std::move(mine), time);
}

template <class Member>
auto vectors_of(Member member) {
    return [member](nbody_system const& system) {
        return column<double>(system, 3,
            [&](double* to, std::size_t i) { std::ranges::copy(system.particles()[i].*member, to); });
    };
}

dict_by_name totals_of(nbody_system const& system) {
    nbody_totals found;
    {
        library_call const call;
        found = system.totals();
    }
    dict_by_name made;
    made["particles"] = found.particles;
    made["mass"] = found.mass;
    made["center_of_mass"] = found.center_of_mass;
    made["momentum"] = found.momentum;
    made["angular_momentum"] = found.angular_momentum;
    made["kinetic"] = found.kinetic;
    made["potential"] = found.potential;
    return made;
}

} // namespace

void bind_gravity(nb::module_& module) {
    module.def("read_particles", &particles_of_file, nb::arg("comm"), nb::arg("file"),
        nb::arg("softening").none(), nb::arg("total_mass").none());
    module.def("write_particles", &write_particles_of, nb::arg("comm"), nb::arg("file"), nb::arg("positions"),
        nb::arg("velocities"), nb::arg("masses"), nb::arg("softenings"), nb::arg("ids"), nb::arg("kinds"),
        nb::arg("first"), nb::arg("time"));
    nb::class_<nbody_system>(module, "Gravity")
        .def_static("make", &make_system, nb::arg("comm"), nb::arg("positions"), nb::arg("velocities"),
            nb::arg("masses"), nb::arg("softenings"), nb::arg("first"), nb::arg("theta"), nb::arg("constant"))
        .def("find_forces",
            [](nbody_system& system) {
                library_call const call;
                system.find_forces();
            })
        .def(
            "advance",
            [](nbody_system& system, double time_step, std::int64_t steps) {
                library_call const call;
                for (std::int64_t i = 0; i < steps; ++i) system.advance(time_step);
            },
            nb::arg("time_step"), nb::arg("steps"))
        .def("totals", &totals_of)
        .def_prop_ro("positions", vectors_of(&particle::position), nb::rv_policy::automatic)
        .def_prop_ro("velocities", vectors_of(&particle::velocity), nb::rv_policy::automatic)
        .def_prop_ro(
            "accelerations",
            [](nbody_system const& system) {
                return column<double>(system, 3, [&](double* to, std::size_t i) {
                    std::ranges::copy(system.forces()[i].acceleration, to);
                });
            },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "potentials",
            [](nbody_system const& system) {
                return column<double>(
                    system, 1, [&](double* to, std::size_t i) { *to = system.forces()[i].potential; });
            },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "numbers",
            [](nbody_system const& system) {
                return column<std::int64_t>(
                    system, 1, [&](std::int64_t* to, std::size_t i) { *to = system.particles()[i].index; });
            },
            nb::rv_policy::automatic);
}

} // namespace weft::python
