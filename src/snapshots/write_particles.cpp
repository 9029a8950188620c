#include "snapshot_formats.hpp"

#include <files/csv_row.hpp>
#include <files/placed_writer.hpp>
#include <files/vtk_output.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/io/write_text.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <new>
#include <numeric>

namespace weft {

namespace {

/// Returns the items of all ranks, redistributed and sorted by index.
template <class Item, class IndexOf>
std::vector<Item> in_order(communicator const& comm, std::vector<Item> const& mine, IndexOf&& index_of) {
    std::int64_t const total = sum(comm, static_cast<std::int64_t>(mine.size()));
    detail::even_shares const shares(total, comm.size());
    outbox<Item> out(comm);
    agreed(comm, [&] {
        for (Item const& each : mine) {
            if (index_of(each) < 0 || index_of(each) >= total)
                throw usage_error("particles to write have indices from 0 to " + std::to_string(total - 1) +
                                  "; found " + std::to_string(index_of(each)));
            out[shares.part_of(index_of(each))].push_back(each);
        }
    });
    inbox<Item> const come = exchange(std::move(out));
    std::vector<Item> sorted;
    agreed(comm, [&] {
        sorted = come.concatenate();
        std::ranges::sort(sorted, {}, index_of);
        for (std::size_t i = 0; i + 1 < sorted.size(); ++i) // a missing index implies a repeated one
            if (index_of(sorted[i]) == index_of(sorted[i + 1]))
                throw usage_error("particles to write have each index once; found " +
                                  std::to_string(index_of(sorted[i])) + " twice");
    });
    return sorted;
}

std::vector<particle> in_order(communicator const& comm, std::vector<particle> const& mine) {
    return in_order(comm, mine, [](particle const& each) { return each.index; });
}

template <class T>
void append_bytes(std::string& to, T const& value) {
    to.append(reinterpret_cast<char const*>(&value), sizeof value);
}

/// Adds the values of all particles.
template <class ValueOf>
void add_values(file_segments& to, std::vector<particle> const& mine, ValueOf value_of) {
    auto const each = static_cast<std::int64_t>(sizeof(value_of(mine[0])));
    to.add(std::ssize(mine) * each, for_each_of(mine, value_of));
}

void write_csv(communicator const& comm, std::string const& file, std::vector<particle> const& particles) {
    std::string text;
    agreed(comm, [&] {
        if (comm.rank() == 0) text = "id,x,y,z,vx,vy,vz,mass,softening\n";
        for (particle const& p : particles)
            append_csv_row(text, p.id, p.position[0], p.position[1], p.position[2], p.velocity[0],
                p.velocity[1], p.velocity[2], p.mass, p.softening);
    });
    write_text(comm, file, text);
}

void write_polydata(gate& call, std::string const& file, std::vector<particle> const& particles) {
    std::int64_t const here = std::ssize(particles);
    std::int64_t const total = sum(call.comm(), here);
    file_segments segments;
    call.guard([&] {
        vtk_output made = vtk_output::polydata({.points = total, .verts = total});
        made.section("PointData", " Vectors=\"velocity\"");
        made.array<double>(
            "velocity", 3, total, here, for_each_of(particles, std::mem_fn(&particle::velocity)));
        made.array<double>("mass", 1, total, here, for_each_of(particles, std::mem_fn(&particle::mass)));
        made.array<std::int64_t>("id", 1, total, here, for_each_of(particles, std::mem_fn(&particle::id)));
        made.section("Points");
        made.array<double>(
            "Points", 3, total, here, for_each_of(particles, std::mem_fn(&particle::position)));
        made.section("Verts");
        made.array<std::int64_t>(
            "connectivity", 1, total, here, for_each_of(particles, std::mem_fn(&particle::index)));
        made.array<std::int64_t>("offsets", 1, total, here,
            for_each_of(particles, [](particle const& each) { return each.index + 1; }));
        segments = made.segments();
    });
    segments.write(call, file);
}

/// Returns the length that stands before and after a record of Fortran.
std::string length_of(std::int64_t bytes) {
    std::string text;
    append_bytes(text, static_cast<std::uint32_t>(bytes));
    return text;
}

/// The head of a block of `bytes` bytes: its label and its length.
std::string labelled(char const* name, std::int64_t bytes) {
    return length_of(8) + name + length_of(bytes + 8) + length_of(8) + length_of(bytes);
}

std::string gadget_head(std::array<std::int32_t, 6> const& of_kind, double time) {
    std::string head;
    for (std::int32_t const each : of_kind) append_bytes(head, each);
    head.append(48, '\0'); // masses have a block of their own
    append_bytes(head, time);
    head.append(16, '\0'); // redshift, flags
    for (std::int32_t const each : of_kind) append_bytes(head, each);
    append_bytes(head, std::int32_t{0});
    append_bytes(head, std::int32_t{1}); // files
    head.resize(256, '\0');
    return head;
}

void write_gadget(gate& call, std::string const& file, std::vector<particle> const& particles, double time) {
    communicator const& comm = call.comm();
    agreed(comm, [&] {
        for (particle const& each : particles)
            if (each.kind < 0 || each.kind > 5)
                throw usage_error(file + ": particle " + std::to_string(each.index) + " is of kind " +
                                  std::to_string(each.kind) +
                                  "; a GADGET file has kinds 0 to 5; write .csv or .vtp");
    });
    // The ranks hold consecutive particles, so the kinds ascend overall if they ascend at each border.
    std::array<std::int32_t, 6> of_kind{};
    std::int64_t first_of_kind[6];
    std::int64_t last_of_kind[6];
    for (std::int64_t kind = 0; kind < 6; ++kind) {
        std::int64_t const here = std::ranges::count(particles, kind, &particle::kind);
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        std::int64_t most = -1;
        for (particle const& each : particles)
            if (each.kind == kind) {
                least = std::min(least, each.index);
                most = std::max(most, each.index);
            }
        std::int64_t const total = sum(comm, here);
        if (total > std::numeric_limits<std::int32_t>::max())
            throw usage_error(
                file + ": more than 2^31 particles of a kind in a GADGET file; write .csv or .vtp");
        of_kind[static_cast<std::size_t>(kind)] = static_cast<std::int32_t>(total);
        first_of_kind[kind] = min(comm, least);
        last_of_kind[kind] = max(comm, most);
    }
    std::int64_t seen = -1;
    for (std::size_t kind = 0; kind < 6; ++kind) {
        if (of_kind[kind] == 0) continue;
        if (first_of_kind[kind] < seen)
            throw usage_error(file +
                              ": the kinds of particles do not ascend with their indices, as a GADGET file "
                              "needs it; write .csv or .vtp");
        seen = last_of_kind[kind];
    }
    std::int64_t const n = std::accumulate(of_kind.begin(), of_kind.end(), std::int64_t{0});
    if (n * 24 > std::int64_t{0xffffffff})
        throw usage_error(file + ": too many particles for the 32-bit lengths of a GADGET file; write .vtp");
    file_segments segments;
    call.guard([&] {
        std::string const head = gadget_head(of_kind, time);
        segments.add_once(labelled("HEAD", 256) + head + length_of(256) + labelled("POS ", 24 * n));
        add_values(segments, particles, std::mem_fn(&particle::position));
        segments.add_once(length_of(24 * n) + labelled("VEL ", 24 * n));
        add_values(segments, particles, std::mem_fn(&particle::velocity));
        segments.add_once(length_of(24 * n) + labelled("ID  ", 8 * n));
        add_values(segments, particles, std::mem_fn(&particle::id));
        segments.add_once(length_of(8 * n) + labelled("MASS", 8 * n));
        add_values(segments, particles, std::mem_fn(&particle::mass));
        segments.add_once(length_of(8 * n));
    });
    segments.write(call, file);
}

} // namespace

void write_particles(
    communicator const& comm, std::string const& file, std::vector<particle> mine, double time) try {
    gate call(comm, "write_particles");
    call.same("the file", file).same("time", time).agree();
    mine = in_order(comm, mine);
    std::string const suffix = std::filesystem::path(file).extension().string();
    if (suffix == ".csv" || file == "-")
        write_csv(comm, file, mine);
    else if (suffix == ".vtp")
        write_polydata(call, file, mine);
    else
        write_gadget(call, file, mine, time);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_particles");
    throw;
}

void write_checkpoint(communicator const& comm, std::string const& file, std::vector<particle> mine,
    double time, checkpoint_state const& state) try {
    gate call(comm, "write_checkpoint");
    call.same("the file", file).same("time", time).same("step", state.step);
    call.same("initial_energy", state.initial_energy);
    call.same("gravitational_constant", state.gravitational_constant).agree();
    mine = in_order(comm, mine);
    snapshots::checkpoint_head head;
    head.particles = sum(comm, std::ssize(mine));
    head.time = time;
    head.state = state;
    file_segments segments;
    call.guard([&] {
        std::string bytes;
        append_bytes(bytes, head);
        segments.add_once(std::move(bytes));
        segments.add(std::as_bytes(std::span(mine)));
    });
    segments.write(call, file);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_checkpoint");
    throw;
}

namespace {

struct numbered_force {
    std::int64_t index = 0;
    attraction force;
};

} // namespace

void write_forces(communicator const& comm, std::string const& file, nbody_system const& system) try {
    std::vector<numbered_force> mine;
    agreed(comm, [&] {
        for (std::size_t i = 0; i < system.forces().size(); ++i)
            mine.push_back({system.particles()[i].index, system.forces()[i]});
    });
    mine = in_order(comm, mine, [](numbered_force const& each) { return each.index; });
    std::string text;
    agreed(comm, [&] {
        if (comm.rank() == 0) text = "index,ax,ay,az,potential\n";
        for (auto const& [index, force] : mine)
            append_csv_row(text, index, force.acceleration[0], force.acceleration[1], force.acceleration[2],
                force.potential);
    });
    write_text(comm, file, text);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_forces");
    throw;
}

} // namespace weft
