#include <contouring/write_vtp.hpp>

#include <files/output_target.hpp>
#include <files/vtk_output.hpp>

#include <weft/core/error.hpp>
#include <weft/frames/block_to_part.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace weft::contouring {

namespace {

/// The arrays of a file, for all ranks or for one.
struct vtp_arrays {
    std::vector<std::array<double, 3>> const& places;
    std::vector<std::array<float, 3>> const& normals;
    std::vector<double> values; ///< at points; empty if all have the same value
    std::vector<named_values> const& of_points;
    std::vector<std::array<global_id, 3>> const& corners;
    std::vector<std::int64_t> ends; ///< for each triangle, the end of its corners
    std::vector<named_values> const& of_triangles;
};

std::string point_attributes(std::span<double const> wanted) {
    return std::string(wanted.size() > 1 ? " Scalars=\"value\"" : "") + " Normals=\"Normals\"";
}

/// `points`, `triangles`: their numbers in the whole file.
vtk_output file_of(
    vtp_arrays const& of, std::int64_t points, std::int64_t triangles, std::span<double const> wanted) {
    vtk_output file = vtk_output::polydata({.points = points, .polys = triangles});
    file.section("Points");
    file.array<double>("Points", 3, points, of.places);
    file.section("PointData", point_attributes(wanted));
    file.array<float>("Normals", 3, points, of.normals);
    if (wanted.size() > 1) file.array<double>("value", 1, points, of.values);
    file.fields(of.of_points, points);
    file.section("CellData");
    file.fields(of.of_triangles, triangles);
    file.section("Polys");
    file.array<std::int64_t>("connectivity", 1, 3 * triangles, of.corners);
    file.array<std::int64_t>("offsets", 1, triangles, of.ends);
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

/// The file of one rank, and the index of the files of all ranks.
struct piece_texts {
    std::string piece;
    std::string index;
};

/// Returns this rank's triangles with a copy of their points. Ends before the census of `call`.
piece_texts piece_of(
    gate& call, surface const& what, std::span<double const> wanted, std::vector<std::string> const& pieces) {
    std::vector<global_id> known;
    std::vector<named_values> of_points;
    agreed(call, [&] {
        for (auto const& triangle : what.corners) known.insert(known.end(), triangle.begin(), triangle.end());
        std::ranges::sort(known);
        known.erase(std::unique(known.begin(), known.end()), known.end());
        of_points = what.of_points;
    });
    block_to_part const plan(call.comm(), what.points, known);
    std::vector<std::array<double, 3>> const places = plan.exchange(what.places);
    std::vector<std::array<float, 3>> const normals = plan.exchange(what.normals);
    std::vector<std::int32_t> const values = plan.exchange(what.values);
    for (named_values& each : of_points)
        each.values = plan.exchange(each.values, static_cast<std::size_t>(each.components));
    piece_texts texts;
    call.guard([&] {
        std::vector<std::array<global_id, 3>> corners = what.corners;
        for (auto& triangle : corners)
            for (global_id& each : triangle) each = std::ranges::lower_bound(known, each) - known.begin();
        vtp_arrays const arrays{places, normals, values_of(values, wanted), of_points, corners,
            ends_of(corners.size(), 0), what.of_triangles};
        vtk_output const file = file_of(arrays, static_cast<std::int64_t>(places.size()),
            static_cast<std::int64_t>(corners.size()), wanted);
        texts = {file.segments().joined(), file.index_of(pieces)};
    });
    return texts;
}

} // namespace

void write_vtp(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file) {
    gate call(comm, "write_surface");
    std::optional<vtp_arrays> arrays; // the segments refer to it
    file_segments segments;
    call.guard([&] {
        arrays.emplace(vtp_arrays{what.places, what.normals, values_of(what.values, wanted), what.of_points,
            what.corners, ends_of(what.corners.size(), what.triangles.begin(comm.rank())),
            what.of_triangles});
        segments = file_of(*arrays, what.points.total(), what.triangles.total(), wanted).segments();
    });
    segments.write(call, file);
}

void write_pvtp(communicator const& comm, surface const& what, std::span<double const> wanted,
    std::filesystem::path const& file) {
    gate call(comm, "write_surface");
    std::filesystem::path const stem = file.stem();
    std::vector<std::string> pieces;
    call.guard([&] {
        for (int rank = 0; rank < comm.size(); ++rank)
            pieces.push_back(stem.string() + "/" + stem.string() + "_" + std::to_string(rank) + ".vtp");
    });
    piece_texts texts = piece_of(call, what, wanted, pieces);
    agreed(call, [&] {
        if (comm.rank() != 0) return;
        (void)delivery_to(file);
        make_folder(file.parent_path() / stem);
    });
    agreed(call, [&] {
        write_output(file.parent_path() / pieces[static_cast<std::size_t>(comm.rank())], texts.piece);
    });
    file_segments whole;
    call.guard([&] { whole.add_once(std::move(texts.index)); });
    whole.write(call, file);
}

} // namespace weft::contouring
