#include "snapshot_formats.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include <filesystem>

namespace weft {

namespace {

snapshots::found_particles read_share(std::string const& file, snapshots::reader_place const& where) {
    file_handle const opened = file_handle::open_to_read(file);
    std::string suffix = std::filesystem::path(file).extension().string();
    if (snapshots::is_checkpoint(opened)) return snapshots::read_checkpoint(opened, where);
    if (snapshots::is_numpy(opened)) return snapshots::read_places(opened, where);
    if (suffix == ".csv" || suffix == ".CSV" || suffix == ".txt") return snapshots::read_table(opened, where);
    if (snapshots::is_tipsy(opened)) return snapshots::read_tipsy(opened, where);
    if (snapshots::is_gadget(opened)) return snapshots::read_gadget(opened, where);
    throw io_error(file + ": expected particles: GADGET (1, 2), TIPSY, .npy, .csv or a checkpoint of weft");
}

} // namespace

snapshot read_particles(communicator const& comm, std::string const& file, snapshot_options const& options) {
    gate call(comm, "read_particles");
    call.same("the file", file);
    call.same("the option softening", options.softening.has_value())
        .same("softening", options.softening.value_or(0));
    call.same("the option total_mass", options.total_mass.has_value());
    call.same("total_mass", options.total_mass.value_or(0));
    snapshots::found_particles found;
    agreed(call, [&] {
        found = read_share(file, {comm.rank(), comm.size()});
        if (options.total_mass && found.masses_known)
            throw usage_error(
                file + ": has masses of its own; leave out `total_mass`, the mass of all particles");
    });
    auto& particles = found.read.particles;
    // Only a table is read without knowing how many particles there are.
    prefix const counted = exclusive_sum(comm, static_cast<std::int64_t>(particles.size()));
    for (std::size_t i = 0; i < particles.size(); ++i) {
        particle& each = particles[i];
        each.index = counted.before + static_cast<std::int64_t>(i);
        if (each.id < 0) each.id = each.index + 1;
        if (!found.masses_known)
            each.mass = options.total_mass.value_or(1) / static_cast<double>(counted.total);
        if (options.softening) each.softening = *options.softening;
    }
    return std::move(found.read);
}

} // namespace weft
