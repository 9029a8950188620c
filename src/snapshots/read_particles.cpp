#include "snapshot_formats.hpp"

#include <io/formats/file_ending.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace weft {

namespace {

bool is_table(file_handle const& file) {
    constexpr std::array<std::string_view, 2> endings{".csv", ".txt"};
    return !io::ending_among(file.path(), endings).empty();
}

/// A format of particles. A file is read by the first one in the table that fits.
struct particle_format {
    std::string_view name;
    bool (*is_such)(file_handle const& file);
    snapshots::found_particles (*read)(file_handle const& file, snapshots::reader_place const& where);
};

constexpr particle_format formats[] = {
    {"checkpoint of weft", snapshots::is_checkpoint, snapshots::read_checkpoint},
    {"NumPy", snapshots::is_numpy, snapshots::read_places},
    {"CSV (.csv, .txt)", is_table, snapshots::read_table},
    {"TIPSY", snapshots::is_tipsy, snapshots::read_tipsy},
    {"GADGET", snapshots::is_gadget, snapshots::read_gadget},
};

snapshots::found_particles read_share(std::string const& file, snapshots::reader_place const& where) {
    file_handle const opened = file_handle::open_to_read(file);
    for (particle_format const& each : formats)
        if (each.is_such(opened)) return each.read(opened, where);
    throw io_error(file + ": expected particles: " + snapshots::list_of_particle_formats());
}

} // namespace

std::vector<std::string> snapshots::names_of_particle_formats() {
    std::vector<std::string> names;
    for (particle_format const& each : formats) names.emplace_back(each.name);
    return names;
}

std::string snapshots::list_of_particle_formats() {
    std::string list;
    for (std::string const& each : names_of_particle_formats())
        list.append(list.empty() ? "" : ", ").append(each);
    return list;
}

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
    // Only the reader of tables does not know the total number of particles in advance.
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
