#include <meshes/read_mesh.hpp>

#include <meshes/mesh_formats.hpp>
#include <meshes/plot3d_mesh.hpp>
#include <meshes/vtk_mesh.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/block_to_block.hpp>
#include <weft/frames/numbering.hpp>
#include <weft/frames/ragged.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <cmath>
#include <cstdio>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace weft {

namespace {

mesh_format const& format_to_read(std::filesystem::path const& file) {
    mesh_format const* const format = mesh_format_of(file);
    if (!format) throw usage_error(file.string() + ": is no mesh; known are " + list_of_mesh_formats());
    if (!format->read)
        throw usage_error(file.string() + ": this weft was built without " + std::string(format->name) +
                          ", which reads such files; build it with -D" + std::string(format->left_out_by) +
                          "=ON");
    return *format;
}

mesh_piece read_piece(
    mesh_format const& format, std::filesystem::path const& file, mesh_request const& wanted) {
    mesh_piece made = format.read(file, wanted);
    for (std::size_t point = 0; point < made.places.size(); ++point)
        for (double const each : made.places[point])
            if (!(std::abs(each) < 1e100)) { // as in `check`, but the error names the file
                char shown[32];
                std::snprintf(shown, sizeof shown, "%g", each);
                throw io_error(file.string() + ": its point " + std::to_string(point) +
                               " has the coordinate " + shown + "; expected one below 1e100");
            }
    return made;
}

/// All pieces that this rank has read, joined in their order.
struct pieces_read {
    mesh_piece all;
    bool has_ids = true;
};

void append(mesh_piece& into, mesh_piece piece) {
    auto const first = static_cast<global_id>(into.places.size());
    into.places.insert(into.places.end(), piece.places.begin(), piece.places.end());
    into.kinds.insert(into.kinds.end(), piece.kinds.begin(), piece.kinds.end());
    for (global_id const corner : piece.corners) into.corners.push_back(first + corner);
    into.point_ids.insert(into.point_ids.end(), piece.point_ids.begin(), piece.point_ids.end());
    into.left_out += piece.left_out;
    into.straightened += piece.straightened;
    if (into.arrays.empty()) {
        into.arrays = std::move(piece.arrays);
        return;
    }
    for (std::size_t i = 0; i < piece.arrays.size(); ++i) {
        std::vector<double>& values = into.arrays[i].what.values;
        values.insert(values.end(), piece.arrays[i].what.values.begin(), piece.arrays[i].what.values.end());
    }
}

/// Returns a text of the names and components of arrays, which must be equal in all pieces.
std::string heads_of(std::vector<mesh_array> const& arrays) {
    std::string heads;
    for (mesh_array const& each : arrays)
        heads += (heads.empty() ? "" : ", ") + each.what.name + " (" + std::to_string(each.what.components) +
                 (each.of_cells ? " a cell)" : " a point)");
    return heads;
}

void check_heads(std::filesystem::path const& file, std::vector<mesh_array> const& first,
    std::vector<mesh_array> const& arrays) {
    if (heads_of(first) != heads_of(arrays))
        throw io_error(file.string() + ": expected the arrays that other pieces have, " + heads_of(first) +
                       ", found " + heads_of(arrays));
}

pieces_read read_pieces(mesh_format const& format, std::vector<std::filesystem::path> const& files,
    mesh_request const& wanted, int rank, int ranks) {
    pieces_read made;
    uniform_distribution const dealt(static_cast<std::int64_t>(files.size()), ranks);
    for (std::int64_t i = dealt.begin(rank); i < dealt.end(rank); ++i) {
        std::filesystem::path const& file = files[static_cast<std::size_t>(i)];
        mesh_piece piece = read_piece(format, file, wanted);
        if (piece.places.empty()) continue; // an empty piece may lack arrays
        if (!made.all.places.empty()) check_heads(file, made.all.arrays, piece.arrays);
        made.has_ids = made.has_ids && piece.point_ids.size() == piece.places.size();
        append(made.all, std::move(piece));
    }
    return made;
}

/// Sets the names and components of arrays on all ranks, also on those that have read no piece.
void agree_on_arrays(communicator const& comm, std::filesystem::path const& file, mesh_piece& piece) {
    std::vector<std::string> names;
    std::vector<std::int32_t> numbers; // arrays of each rank; components of each array, and 1 if of cells
    numbers.push_back(static_cast<std::int32_t>(piece.arrays.size()));
    for (mesh_array const& each : piece.arrays) {
        names.push_back(each.what.name);
        numbers.insert(numbers.end(), {each.what.components, each.of_cells ? 1 : 0});
    }
    names = all_gatherv(comm, std::move(names));
    numbers = all_gatherv(comm, std::move(numbers));
    std::vector<mesh_array> first;
    agreed(comm, [&] {
        std::size_t name = 0;
        for (std::size_t at = 0; at < numbers.size();) {
            std::vector<mesh_array> arrays;
            for (std::int32_t left = numbers[at++]; left > 0; --left, at += 2)
                arrays.push_back({{names[name++], numbers[at], {}}, numbers[at + 1] != 0});
            if (arrays.empty()) continue;
            if (first.empty())
                first = std::move(arrays);
            else
                check_heads(file, first, arrays);
        }
    });
    if (piece.arrays.empty()) piece.arrays = std::move(first);
}

/// Distributes the points and cells that ranks have read evenly.
mesh_input dealt(communicator const& comm, mesh_piece piece, mesh_request const& wanted) {
    mesh_input made;
    auto const points = block_distribution::from_sizes(comm, static_cast<std::int64_t>(piece.places.size()));
    auto const cells = block_distribution::from_sizes(comm, static_cast<std::int64_t>(piece.kinds.size()));
    made.of.points = block_distribution::uniform(comm, points.total());
    made.of.cells = block_distribution::uniform(comm, cells.total());
    block_to_block const move_points(comm, points, made.of.points);
    block_to_block const move_cells(comm, cells, made.of.cells);
    made.of.places = move_points.exchange(piece.places);
    made.of.kinds = move_cells.exchange(piece.kinds);
    ragged<global_id> corners;
    agreed(comm, [&] {
        for (global_id const each : piece.corners) corners.values.push_back(points.begin(comm.rank()) + each);
        for (cell_kind const each : piece.kinds)
            corners.offsets.push_back(corners.offsets.back() + static_cast<std::int64_t>(corners_of(each)));
    });
    made.of.corners = move_cells.exchange(corners).values;
    for (std::size_t i = 0; i < piece.arrays.size(); ++i) {
        mesh_array& each = piece.arrays[i];
        each.what.values = (each.of_cells ? move_cells : move_points)
                               .exchange(each.what.values, static_cast<std::size_t>(each.what.components));
        if (i == 0 && wanted.field) {
            made.field = std::move(each.what);
            made.field_of_cells = each.of_cells;
        } else {
            (each.of_cells ? made.of.of_cells : made.of.of_points).push_back(std::move(each.what));
        }
    }
    made.left_out = sum(comm, piece.left_out);
    made.straightened = sum(comm, piece.straightened);
    return made;
}

} // namespace

bool is_mesh_file(std::filesystem::path const& file) {
    mesh_format const* const format = mesh_format_of(file);
    return format && !format->with_solution;
}

mesh_input read_mesh(
    communicator const& comm, std::filesystem::path const& file, mesh_request const& wanted) try {
    std::vector<std::filesystem::path> files;
    pieces_read mine;
    agreed(comm, [&] {
        if (wanted.solution.empty()) {
            mesh_format const& format = format_to_read(file);
            files = vtk_mesh_pieces(file);
            mine = read_pieces(format, files, wanted, comm.rank(), comm.size());
        } else {
            mine.all = read_plot3d_mesh(file, wanted, comm.rank(), comm.size());
        }
    });
    agree_on_arrays(comm, file, mine.all);
    bool const has_field = wanted.field && !mine.all.arrays.empty();
    bool const has_ids = min(comm, mine.has_ids ? 1 : 0) == 1;
    std::vector<global_id> const ids = std::move(mine.all.point_ids);
    auto const read = block_distribution::from_sizes(comm, static_cast<std::int64_t>(mine.all.places.size()));
    mesh_input made = dealt(comm, std::move(mine.all), wanted);
    if (files.size() < 2) return made;
    bool const field_moves = has_field && !made.field_of_cells;
    if (field_moves) made.of.of_points.push_back(std::move(made.field));
    made.of = has_ids ? with_points_joined(comm, std::move(made.of),
                            number_ids(comm, block_to_block(comm, read, made.of.points).exchange(ids)))
                      : with_points_merged(comm, std::move(made.of), 0);
    if (field_moves) {
        made.field = std::move(made.of.of_points.back());
        made.of.of_points.pop_back();
    }
    return made;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("read_mesh");
    throw;
}

} // namespace weft
