#include <contouring/field_counts.hpp>
#include <contouring/field_print.hpp>
#include <contouring/write_vtp.hpp>
#include <files/file_segments.hpp>

#include <weft/contouring/write_surface.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

namespace weft {

namespace contouring {

namespace {

using place3 = std::array<double, 3>;

/// Appends a value in little-endian order.
template <class T>
void put_little(std::string& into, T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof value);
    into.append(bytes, sizeof value);
}

/// `at`: three corners for each triangle.
std::string stl_records(std::vector<place3> const& at) {
    std::string records;
    records.reserve(50 * (at.size() / 3));
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
    return records;
}

void write_stl(communicator const& comm, surface const& what, std::filesystem::path const& file) {
    if (what.triangles.total() > UINT32_MAX)
        throw usage_error(file.string() + ": an STL file has at most 2^32 - 1 triangles, found " +
                          std::to_string(what.triangles.total()));
    std::vector<place3> const at = corners_of(comm, what).places;
    std::string records;
    file_segments written;
    gate call(comm, "write_surface");
    call.guard([&] {
        std::string head = "Binary STL of weft";
        head.resize(80, ' ');
        put_little(head, static_cast<std::uint32_t>(what.triangles.total()));
        written.add_once(std::move(head));
        records = stl_records(at);
        written.add(records);
    });
    written.write(call, file);
}

/// Names of properties must not have blanks.
std::string properties_of(std::vector<named_values> const& fields) {
    std::string lines;
    for (named_values const& each : fields)
        for (int c = 0; c < each.components; ++c) {
            std::string name = each.name;
            for (char& letter : name)
                if (static_cast<unsigned char>(letter) <= ' ') letter = '_';
            lines += "property double " + name + (each.components > 1 ? "_" + std::to_string(c) : "") + "\n";
        }
    return lines;
}

void put_fields(std::string& into, std::vector<named_values> const& fields, std::size_t item) {
    for (named_values const& each : fields)
        for (std::size_t c = 0; c < static_cast<std::size_t>(each.components); ++c)
            put_little(into, each.values[item * static_cast<std::size_t>(each.components) + c]);
}

std::string ply_head(surface const& what, std::span<double const> wanted) {
    return "ply\nformat binary_little_endian 1.0\ncomment by weft\nelement vertex " +
           std::to_string(what.points.total()) +
           "\nproperty double x\nproperty double y\nproperty double z\nproperty float nx\nproperty float "
           "ny\nproperty float nz\n" +
           (wanted.size() > 1 ? "property double value\n" : "") + properties_of(what.of_points) +
           "element face " + std::to_string(what.triangles.total()) +
           "\nproperty list uchar int vertex_indices\n" + properties_of(what.of_triangles) + "end_header\n";
}

std::string ply_vertices(surface const& what, std::span<double const> wanted) {
    std::string vertices;
    for (std::size_t i = 0; i < what.places.size(); ++i) {
        for (double const each : what.places[i]) put_little(vertices, each);
        for (float const each : what.normals[i]) put_little(vertices, each);
        if (wanted.size() > 1) put_little(vertices, wanted[static_cast<std::size_t>(what.values[i])]);
        put_fields(vertices, what.of_points, i);
    }
    return vertices;
}

std::string ply_faces(surface const& what) {
    std::string faces;
    for (std::size_t i = 0; i < what.corners.size(); ++i) {
        faces += '\3';
        for (global_id const each : what.corners[i]) put_little(faces, static_cast<std::int32_t>(each));
        put_fields(faces, what.of_triangles, i);
    }
    return faces;
}

void write_ply(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file) {
    if (what.points.total() > INT32_MAX)
        throw usage_error(file.string() + ": a PLY file has at most 2^31 - 1 points, found " +
                          std::to_string(what.points.total()));
    std::string vertices;
    std::string faces;
    file_segments written;
    gate call(comm, "write_surface");
    call.guard([&] {
        written.add_once(ply_head(what, wanted));
        vertices = ply_vertices(what, wanted);
        written.add(vertices);
        faces = ply_faces(what);
        written.add(faces);
    });
    written.write(call, file);
}

} // namespace

} // namespace contouring

namespace {

/// Throws for a surface that no format can store.
void check_surface(surface const& what, std::span<double const> wanted, int rank, int ranks) {
    if (what.points.parts() != ranks || what.triangles.parts() != ranks)
        throw usage_error("write_surface: expected a block of points and of triangles for each rank");
    std::int64_t const points = what.points.size(rank);
    std::string const of_rank = " on rank " + std::to_string(rank);
    contouring::expect_count("write_surface", what.places.size(), points, "places of points" + of_rank);
    contouring::expect_count("write_surface", what.normals.size(), points, "normals of points" + of_rank);
    contouring::expect_count("write_surface", what.values.size(), points, "values of points" + of_rank);
    contouring::expect_count(
        "write_surface", what.corners.size(), what.triangles.size(rank), "triangles" + of_rank);
    contouring::check_fields("write_surface", what.of_points, points);
    contouring::check_fields("write_surface", what.of_triangles, what.triangles.size(rank));
    for (std::size_t i = 0; i < what.values.size(); ++i)
        if (what.values[i] < 0 || static_cast<std::size_t>(what.values[i]) >= wanted.size())
            throw usage_error("write_surface: point " +
                              std::to_string(what.points.begin(rank) + static_cast<std::int64_t>(i)) +
                              " lies on the contour of value " + std::to_string(what.values[i]) +
                              ", counted from 0, of " + std::to_string(wanted.size()) +
                              "; give all values that were contoured");
    for (std::size_t i = 0; i < what.corners.size(); ++i)
        for (global_id const corner : what.corners[i])
            if (!what.points.contains(corner))
                throw usage_error("write_surface: triangle " +
                                  std::to_string(what.triangles.begin(rank) + static_cast<std::int64_t>(i)) +
                                  " has the corner " + std::to_string(corner) + "; expected points " +
                                  std::to_string(what.points.begin()) + " to " +
                                  std::to_string(what.points.end() - 1));
}

value_print print_of_surface(surface const& what, std::span<double const> wanted, std::string const& file) {
    value_print print;
    print.add(what.points).add(what.triangles).add(file);
    for (double const each : wanted) print.add(each);
    contouring::add_fields(print, what.of_points);
    contouring::add_fields(print, what.of_triangles);
    return print;
}

} // namespace

bool is_surface_suffix(std::string const& suffix) noexcept {
    return suffix == ".vtp" || suffix == ".pvtp" || suffix == ".stl" || suffix == ".ply";
}

void write_surface(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file) try {
    std::exception_ptr const failure =
        detail::failure_in([&] { check_surface(what, wanted, comm.rank(), comm.size()); });
    (void)agree_on("write_surface", comm, failure, print_of_surface(what, wanted, file.string()),
        "have different blocks, fields, values or names of files");
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
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_surface");
    throw;
}

} // namespace weft
