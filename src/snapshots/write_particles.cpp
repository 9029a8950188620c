#include "snapshot_formats.hpp"

#include <files/file_handle.hpp>
#include <files/output_file.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/io/write_text.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <limits>

namespace weft {

namespace {

/// Items of all ranks, each where its index belongs.
template <class Item, class IndexOf>
std::vector<Item> in_order(communicator const& comm, std::vector<Item> const& mine, IndexOf&& index_of) {
    std::int64_t const total = sum(comm, static_cast<std::int64_t>(mine.size()));
    outbox<Item> out(comm);
    agreed(comm, [&] {
        for (Item const& each : mine) {
            if (index_of(each) < 0 || index_of(each) >= total)
                throw usage_error("particles to write have indices from 0 to " + std::to_string(total - 1) +
                                  "; found " + std::to_string(index_of(each)));
            out[nbody::owner_of_index(index_of(each), total, comm.size())].push_back(each);
        }
    });
    inbox<Item> const come = exchange(std::move(out));
    std::vector<Item> sorted;
    agreed(comm, [&] {
        sorted = come.concatenate();
        std::ranges::sort(sorted, {}, index_of);
        for (std::size_t i = 0; i + 1 < sorted.size(); ++i) // as many as indices: where one is missing, too
            if (index_of(sorted[i]) == index_of(sorted[i + 1]))
                throw usage_error("particles to write have each index once; found " +
                                  std::to_string(index_of(sorted[i])) + " twice");
    });
    return sorted;
}

std::vector<particle> in_order(communicator const& comm, std::vector<particle> const& mine) {
    return in_order(comm, mine, [](particle const& each) { return each.index; });
}

void append_number(std::string& text, double value) {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// Parts of a binary file, one after the other, to which every rank adds items.
class array_file {
public:
    /// `header` is what stands before the items, `footer` what stands behind them.
    struct part {
        std::string header;
        std::int64_t item_bytes = 0;
        std::string footer = {};
    };

    array_file(communicator const& comm, std::string const& file, std::int64_t here)
        : comm_(comm), file_(comm, file), items_(exclusive_sum(comm, here)) {}

    [[nodiscard]] std::int64_t total() const noexcept { return items_.total; }

    /// `write_items(part, items)` appends this rank's bytes of a part.
    template <class ItemsOf>
    void write(std::vector<part> const& parts, ItemsOf&& items_of) {
        agreed(comm_, [&] {
            file_handle out = file_.open();
            std::int64_t at = 0;
            for (std::size_t p = 0; p < parts.size(); ++p) {
                part const& each = parts[p];
                auto const header = static_cast<std::int64_t>(each.header.size());
                std::int64_t const behind = at + header + each.item_bytes * items_.total;
                if (comm_.rank() == 0) {
                    out.write(each.header.data(), each.header.size(), at);
                    out.write(each.footer.data(), each.footer.size(), behind);
                }
                std::string const bytes = items_of(p);
                out.write(bytes.data(), bytes.size(), at + header + items_.before * each.item_bytes);
                at = behind + static_cast<std::int64_t>(each.footer.size());
            }
            out.close();
        });
        file_.finish();
    }

private:
    communicator comm_;
    output_file file_;
    prefix items_;
};

template <class T>
void append_bytes(std::string& to, T const& value) {
    to.append(reinterpret_cast<char const*>(&value), sizeof value);
}

/// The values of all particles, as bytes.
template <class ValueOf>
std::string bytes_of(std::vector<particle> const& particles, ValueOf&& value_of) {
    std::string bytes;
    for (particle const& each : particles) append_bytes(bytes, value_of(each));
    return bytes;
}

std::string place_bytes(std::vector<particle> const& particles) {
    return bytes_of(particles, [](particle const& p) { return p.position; });
}
std::string velocity_bytes(std::vector<particle> const& particles) {
    return bytes_of(particles, [](particle const& p) { return p.velocity; });
}
std::string mass_bytes(std::vector<particle> const& particles) {
    return bytes_of(particles, [](particle const& p) { return p.mass; });
}
std::string id_bytes(std::vector<particle> const& particles) {
    return bytes_of(particles, [](particle const& p) { return p.id; });
}

void write_csv(communicator const& comm, std::string const& file, std::vector<particle> const& particles) {
    std::string text;
    agreed(comm, [&] {
        if (comm.rank() == 0) text = "id,x,y,z,vx,vy,vz,mass,softening\n";
        for (particle const& each : particles) {
            text += std::to_string(each.id);
            for (double const value : {each.position[0], each.position[1], each.position[2], each.velocity[0],
                     each.velocity[1], each.velocity[2], each.mass, each.softening}) {
                text += ',';
                append_number(text, value);
            }
            text += '\n';
        }
    });
    write_text(comm, file, text);
}

void write_polydata(
    communicator const& comm, std::string const& file, std::vector<particle> const& particles) {
    array_file out(comm, file, static_cast<std::int64_t>(particles.size()));
    std::int64_t offset = 0;
    auto const array = [&](std::string const& text, std::int64_t item_bytes) {
        std::string const element =
            "<DataArray " + text + " format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n";
        offset += 8 + item_bytes * out.total();
        return element;
    };
    std::string const velocity = array("type=\"Float64\" Name=\"velocity\" NumberOfComponents=\"3\"", 24);
    std::string const mass = array("type=\"Float64\" Name=\"mass\"", 8);
    std::string const id = array("type=\"Int64\" Name=\"id\"", 8);
    std::string const place = array("type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"", 24);
    std::string const connectivity = array("type=\"Int64\" Name=\"connectivity\"", 8);
    std::string const offsets = array("type=\"Int64\" Name=\"offsets\"", 8);
    std::string const order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
    std::string const count = std::to_string(out.total());
    std::string const head =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"" + order +
        "\" header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"" + count + "\" NumberOfVerts=\"" +
        count +
        "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData "
        "Vectors=\"velocity\">\n" +
        velocity + mass + id + "</PointData>\n<Points>\n" + place + "</Points>\n<Verts>\n" + connectivity +
        offsets + "</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    std::vector<array_file::part> parts;
    for (std::int64_t const item_bytes : {24, 8, 8, 24, 8, 8}) {
        std::string size;
        append_bytes(size, static_cast<std::uint64_t>(item_bytes * out.total()));
        parts.push_back({(parts.empty() ? head : "") + size, item_bytes});
    }
    parts.back().footer = "\n</AppendedData>\n</VTKFile>\n";
    out.write(parts, [&](std::size_t part) {
        if (part == 0) return velocity_bytes(particles);
        if (part == 1) return mass_bytes(particles);
        if (part == 2) return id_bytes(particles);
        if (part == 3) return place_bytes(particles);
        std::int64_t const plus = part == 5 ? 1 : 0;
        return bytes_of(particles, [&](particle const& p) { return p.index + plus; });
    });
}

void write_gadget(
    communicator const& comm, std::string const& file, std::vector<particle> const& particles, double time) {
    agreed(comm, [&] {
        for (particle const& each : particles)
            if (each.kind < 0 || each.kind > 5)
                throw usage_error(file + ": particle " + std::to_string(each.index) + " is of kind " +
                                  std::to_string(each.kind) +
                                  "; a GADGET file has kinds 0 to 5; write .csv or .vtp");
    });
    // Each rank's kinds are a run of those of all: they ascend if they do at each border.
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
    array_file out(comm, file, static_cast<std::int64_t>(particles.size()));
    agreed(comm, [&] {
        if (out.total() * 24 > std::int64_t{0xffffffff})
            throw usage_error(
                file + ": too many particles for the 32-bit lengths of a GADGET file; write .vtp");
    });
    auto const length = [](std::int64_t bytes) {
        std::string text;
        append_bytes(text, static_cast<std::uint32_t>(bytes));
        return text;
    };
    auto const label = [&](char const* name, std::int64_t bytes) {
        return length(8) + name + length(bytes + 8) + length(8) + length(bytes);
    };
    std::string head;
    for (std::int32_t const each : of_kind) append_bytes(head, each);
    head.append(48, '\0'); // masses stand in their block
    append_bytes(head, time);
    head.append(16, '\0'); // redshift, flags
    for (std::int32_t const each : of_kind) append_bytes(head, each);
    append_bytes(head, std::int32_t{0});
    append_bytes(head, std::int32_t{1}); // files
    head.resize(256, '\0');
    std::int64_t const n = out.total();
    std::vector<array_file::part> const parts = {
        {label("HEAD", 256) + head + length(256) + label("POS ", 24 * n), 24, length(24 * n)},
        {label("VEL ", 24 * n), 24, length(24 * n)}, {label("ID  ", 8 * n), 8, length(8 * n)},
        {label("MASS", 8 * n), 8, length(8 * n)}};
    out.write(parts, [&](std::size_t part) {
        return part == 0   ? place_bytes(particles)
               : part == 1 ? velocity_bytes(particles)
               : part == 2 ? id_bytes(particles)
                           : mass_bytes(particles);
    });
}

} // namespace

void write_particles(
    communicator const& comm, std::string const& file, std::vector<particle> mine, double time) {
    gate call(comm, "write_particles");
    call.same("the file", file).same("time", time).agree();
    mine = in_order(comm, mine);
    std::string const suffix = std::filesystem::path(file).extension().string();
    if (suffix == ".csv" || file == "-")
        write_csv(comm, file, mine);
    else if (suffix == ".vtp")
        write_polydata(comm, file, mine);
    else
        write_gadget(comm, file, mine, time);
}

void write_checkpoint(communicator const& comm, std::string const& file, std::vector<particle> mine,
    double time, checkpoint_state const& state) {
    gate call(comm, "write_checkpoint");
    call.same("the file", file).same("time", time).same("step", state.step);
    call.same("initial_energy", state.initial_energy);
    call.same("gravitational_constant", state.gravitational_constant).agree();
    mine = in_order(comm, mine);
    array_file out(comm, file, static_cast<std::int64_t>(mine.size()));
    snapshots::checkpoint_head head;
    head.particles = out.total();
    head.time = time;
    head.state = state;
    std::string bytes;
    append_bytes(bytes, head);
    out.write({{bytes, sizeof(particle)}},
        [&](std::size_t) { return bytes_of(mine, [](particle const& p) { return p; }); });
}

namespace {

struct numbered_force {
    std::int64_t index = 0;
    attraction force;
};

} // namespace

void write_forces(communicator const& comm, std::string const& file, nbody_system const& system) {
    std::vector<numbered_force> mine;
    agreed(comm, [&] {
        for (std::size_t i = 0; i < system.forces().size(); ++i)
            mine.push_back({system.particles()[i].index, system.forces()[i]});
    });
    mine = in_order(comm, mine, [](numbered_force const& each) { return each.index; });
    std::string text;
    agreed(comm, [&] {
        if (comm.rank() == 0) text = "index,ax,ay,az,potential\n";
        for (auto const& [index, force] : mine) {
            text += std::to_string(index);
            for (double const value :
                {force.acceleration[0], force.acceleration[1], force.acceleration[2], force.potential}) {
                text += ',';
                append_number(text, value);
            }
            text += '\n';
        }
    });
    write_text(comm, file, text);
}

} // namespace weft
