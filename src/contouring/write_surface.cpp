#include <contouring/file_segments.hpp>

#include <core/output_target.hpp>

#include <weft/contouring/write_surface.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/frames/block_to_part.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace weft {

namespace contouring {

namespace {

using place3 = std::array<double, 3>;

/// The arrays of a file of VTK, of all ranks or of one.
struct vtp_arrays {
    std::vector<place3> const& places;
    std::vector<std::array<float, 3>> const& normals;
    std::vector<double> values; ///< of points; none where all have the same
    std::vector<std::array<global_id, 3>> const& corners;
    std::vector<std::int64_t> ends; ///< of triangles among the corners
};

std::string bytes_of(std::uint64_t word) {
    return {reinterpret_cast<char const*>(&word), sizeof word};
}

/// The description of an array whose values begin at an offset, which goes on behind them.
std::string array_tag(
    char const* type, char const* name, int components, std::uint64_t bytes, std::uint64_t& offset) {
    std::string tag = std::string("        <DataArray type=\"") + type + "\" Name=\"" + name +
                      "\" NumberOfComponents=\"" + std::to_string(components) +
                      "\" format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n";
    offset += sizeof(std::uint64_t) + bytes;
    return tag;
}

constexpr char const* byte_order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";

/// `points`, `triangles`: of the whole file; `leads`: this rank has what is there once.
file_segments vtp_segments(
    vtp_arrays const& of, std::uint64_t points, std::uint64_t triangles, bool with_values, bool leads) {
    std::uint64_t offset = 0;
    std::uint64_t const sizes[] = {24 * points, 12 * points, 8 * points, 24 * triangles, 8 * triangles};
    std::string head =
        std::string("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"") +
        byte_order + "\" header_type=\"UInt64\">\n  <PolyData>\n    <Piece NumberOfPoints=\"" +
        std::to_string(points) +
        "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
        std::to_string(triangles) + "\">\n      <Points>\n";
    head += array_tag("Float64", "Points", 3, sizes[0], offset); // each moves the offset
    head += std::string("      </Points>\n      <PointData") + (with_values ? " Scalars=\"value\"" : "") +
            " Normals=\"Normals\">\n";
    head += array_tag("Float32", "Normals", 3, sizes[1], offset);
    if (with_values) head += array_tag("Float64", "value", 1, sizes[2], offset);
    head += "      </PointData>\n      <Polys>\n";
    head += array_tag("Int64", "connectivity", 1, sizes[3], offset);
    head += array_tag("Int64", "offsets", 1, sizes[4], offset);
    head += "      </Polys>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _";
    file_segments file;
    auto const once = [&](std::string text) { file.add(leads ? std::move(text) : std::string()); };
    once(std::move(head));
    once(bytes_of(sizes[0]));
    file.add(of.places);
    once(bytes_of(sizes[1]));
    file.add(of.normals);
    if (with_values) {
        once(bytes_of(sizes[2]));
        file.add(of.values);
    }
    once(bytes_of(sizes[3]));
    file.add(of.corners);
    once(bytes_of(sizes[4]));
    file.add(of.ends);
    once("\n  </AppendedData>\n</VTKFile>\n");
    return file;
}

std::vector<double> values_of(std::vector<std::int32_t> const& which, std::span<double const> wanted) {
    std::vector<double> values;
    if (wanted.size() < 2) return values;
    for (std::int32_t const each : which) values.push_back(wanted[static_cast<std::size_t>(each)]);
    return values;
}

std::vector<std::int64_t> ends_of(std::size_t triangles, std::int64_t first) {
    std::vector<std::int64_t> ends(triangles);
    for (std::size_t i = 0; i < triangles; ++i) ends[i] = 3 * (first + static_cast<std::int64_t>(i) + 1);
    return ends;
}

void write_vtp(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file) {
    vtp_arrays const arrays{what.places, what.normals, values_of(what.values, wanted), what.corners,
        ends_of(what.corners.size(), what.triangles.begin(comm.rank()))};
    vtp_segments(arrays, static_cast<std::uint64_t>(what.points.total()),
        static_cast<std::uint64_t>(what.triangles.total()), wanted.size() > 1, comm.rank() == 0)
        .write(comm, file);
}

/// This rank's triangles with points of their own.
std::string piece_of(communicator const& comm, surface const& what, std::span<double const> wanted) {
    std::vector<global_id> known;
    for (auto const& triangle : what.corners) known.insert(known.end(), triangle.begin(), triangle.end());
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    block_to_part const plan(comm, what.points, known);
    std::vector<place3> const places = plan.exchange(what.places);
    std::vector<std::array<float, 3>> const normals = plan.exchange(what.normals);
    std::vector<std::int32_t> const values = plan.exchange(what.values);
    std::vector<std::array<global_id, 3>> corners = what.corners;
    for (auto& triangle : corners)
        for (global_id& each : triangle) each = std::ranges::lower_bound(known, each) - known.begin();
    vtp_arrays const arrays{places, normals, values_of(values, wanted), corners, ends_of(corners.size(), 0)};
    return vtp_segments(arrays, places.size(), corners.size(), wanted.size() > 1, true).joined();
}

void write_pvtp(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file) {
    std::string const piece = piece_of(comm, what, wanted);
    std::filesystem::path const stem = file.stem();
    std::filesystem::path const folder = file.parent_path() / stem;
    auto const name_of = [&](int rank) { return stem.string() + "_" + std::to_string(rank) + ".vtp"; };
    agreed(comm, [&] {
        if (comm.rank() != 0) return;
        std::error_code failed;
        std::filesystem::create_directories(folder, failed);
        if (failed) throw io_error(folder.string() + ": cannot make the folder: " + failed.message());
    });
    agreed(comm, [&] { write_output(folder / name_of(comm.rank()), piece); });
    std::string index;
    if (comm.rank() == 0) {
        index =
            std::string(
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"") +
            byte_order +
            "\" header_type=\"UInt64\">\n  <PPolyData GhostLevel=\"0\">\n    <PPoints>\n      <PDataArray "
            "type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"/>\n    </PPoints>\n    <PPointData" +
            (wanted.size() > 1 ? " Scalars=\"value\"" : "") +
            " Normals=\"Normals\">\n      <PDataArray type=\"Float32\" Name=\"Normals\" "
            "NumberOfComponents=\"3\"/>\n";
        if (wanted.size() > 1) index += "      <PDataArray type=\"Float64\" Name=\"value\"/>\n";
        index += "    </PPointData>\n";
        for (int rank = 0; rank < comm.size(); ++rank)
            index += "    <Piece Source=\"" + stem.string() + "/" + name_of(rank) + "\"/>\n";
        index += "  </PPolyData>\n</VTKFile>\n";
    }
    file_segments whole;
    whole.add(std::move(index));
    whole.write(comm, file);
}

/// Appends a value with its least byte first.
template <class T>
void put_little(std::string& into, T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof value);
    into.append(bytes, sizeof value);
}

void write_stl(communicator const& comm, surface const& what, std::filesystem::path const& file) {
    if (what.triangles.total() > UINT32_MAX)
        throw usage_error(file.string() + ": an STL file has at most 2^32 - 1 triangles, found " +
                          std::to_string(what.triangles.total()));
    std::vector<place3> const at = corners_of(comm, what).places;
    std::string head;
    if (comm.rank() == 0) {
        head = "Binary STL of weft";
        head.resize(80, ' ');
        put_little(head, static_cast<std::uint32_t>(what.triangles.total()));
    }
    std::string records;
    records.reserve(50 * what.corners.size());
    for (std::size_t i = 0; i + 2 < at.size(); i += 3) {
        place3 const &a = at[i], &b = at[i + 1], &c = at[i + 2];
        place3 normal{};
        for (std::size_t d = 0; d < 3; ++d) {
            std::size_t const e = (d + 1) % 3;
            std::size_t const f = (d + 2) % 3;
            normal[d] = (b[e] - a[e]) * (c[f] - a[f]) - (b[f] - a[f]) * (c[e] - a[e]);
        }
        double const length = std::hypot(normal[0], normal[1], normal[2]);
        for (double const each : normal)
            put_little(records, static_cast<float>(length > 0 ? each / length : 0));
        for (place3 const* const corner : {&a, &b, &c})
            for (double const each : *corner) put_little(records, static_cast<float>(each));
        put_little(records, std::uint16_t{0});
    }
    file_segments written;
    written.add(std::move(head));
    written.add(std::move(records));
    written.write(comm, file);
}

void write_ply(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file) {
    if (what.points.total() > INT32_MAX)
        throw usage_error(file.string() + ": a PLY file has at most 2^31 - 1 points, found " +
                          std::to_string(what.points.total()));
    std::string head;
    if (comm.rank() == 0) {
        head = "ply\nformat binary_little_endian 1.0\ncomment by weft\nelement vertex " +
               std::to_string(what.points.total()) +
               "\nproperty double x\nproperty double y\nproperty double z\nproperty float nx\nproperty float "
               "ny\nproperty float nz\n" +
               (wanted.size() > 1 ? "property double value\n" : "") + "element face " +
               std::to_string(what.triangles.total()) +
               "\nproperty list uchar int vertex_indices\nend_header\n";
    }
    std::string vertices;
    for (std::size_t i = 0; i < what.places.size(); ++i) {
        for (double const each : what.places[i]) put_little(vertices, each);
        for (float const each : what.normals[i]) put_little(vertices, each);
        if (wanted.size() > 1) put_little(vertices, wanted[static_cast<std::size_t>(what.values[i])]);
    }
    std::string faces;
    for (auto const& triangle : what.corners) {
        faces += '\3';
        for (global_id const each : triangle) put_little(faces, static_cast<std::int32_t>(each));
    }
    file_segments written;
    written.add(std::move(head));
    written.add(std::move(vertices));
    written.add(std::move(faces));
    written.write(comm, file);
}

} // namespace

} // namespace contouring

bool is_surface_suffix(std::string const& suffix) noexcept {
    return suffix == ".vtp" || suffix == ".pvtp" || suffix == ".stl" || suffix == ".ply";
}

void write_surface(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file) {
    std::string suffix = file.extension().string();
    for (char& each : suffix)
        if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
    if (suffix == ".stl")
        contouring::write_stl(comm, what, file);
    else if (suffix == ".ply")
        contouring::write_ply(comm, what, wanted, file);
    else if (suffix == ".pvtp")
        contouring::write_pvtp(comm, what, wanted, file);
    else
        contouring::write_vtp(comm, what, wanted, file);
}

} // namespace weft
