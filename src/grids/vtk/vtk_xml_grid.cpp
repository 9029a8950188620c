#include <grids/vtk/vtk_xml_grid.hpp>

#include <grids/values/grid_memory.hpp>
#include <grids/vtk/vtk_ghosts.hpp>
#include <grids/vtk/vtk_xml.hpp>
#include <grids/vtk/vtk_xml_file.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace weft {

namespace {

/// The array to read in each piece.
struct chosen_array {
    std::string name;
    bool at_points = true;
};

/// Chooses an array by its name; without one the vectors or scalars named by the file, else the first array,
/// at points before those at cells. Marks of hidden parts are only used if named.
chosen_array choose(vtk_xml_file const& file, std::string const& variable) {
    std::string all;
    for (bool const at_points : {true, false}) {
        std::size_t const of = at_points ? 0 : 1;
        vtk_xml_array const* first = nullptr;
        std::array<vtk_xml_array const*, 2> called{};
        for (vtk_xml_array const& each : file.pieces[0].arrays[of]) {
            if (!variable.empty() && each.name == variable) return {variable, at_points};
            if (each.name == name_of_ghosts) continue;
            if (first == nullptr) first = &each;
            for (std::size_t i = 0; i < 2; ++i)
                if (each.name == file.meant[of][i]) called[i] = &each;
            all += (all.empty() ? "" : ", ") + each.name;
        }
        if (!variable.empty() || first == nullptr) continue;
        if (called[0] != nullptr && called[0]->components == 3) return {called[0]->name, at_points};
        return {(called[1] != nullptr ? called[1] : first)->name, at_points};
    }
    if (all.empty()) throw usage_error(file.name() + ": has no values at its points or cells");
    throw usage_error(file.name() + ": has no values called '" + variable + "'; there are " + all);
}

/// Returns the cells between the points of a piece; an axis with one point overall has one cell.
box<std::int64_t> cells_of_piece(box<std::int64_t> points, std::array<std::int64_t, 3> const& whole) {
    for (std::size_t d = 0; d < 3; ++d)
        if (whole[d] > 1) --points.hi[d];
    return points;
}

std::int64_t count_in(box<std::int64_t> const& of) {
    std::int64_t count = 1;
    for (std::size_t d = 0; d < 3; ++d) count *= of.hi[d] - of.lo[d];
    return count;
}

std::string extent_text(vtk_xml_file const& file, vtk_xml_piece const& piece) {
    std::string text;
    for (std::size_t d = 0; d < 3; ++d)
        text += (d == 0 ? "" : " ") + std::to_string(piece.points.lo[d] + file.extent[2 * d]) + " " +
                std::to_string(piece.points.hi[d] - 1 + file.extent[2 * d]);
    return text;
}

/// Makes a grid from the array `array_in(piece)` of each piece, at the points of the whole grid or at its
/// cells. Returns null if VTK must read it.
template <class ArrayIn>
std::unique_ptr<grid_source> joined(
    vtk_xml_file const& file, grid_shape shape, bool at_points, ArrayIn&& array_in) {
    std::vector<grid_piece> pieces;
    bool is_first = true;
    for (vtk_xml_piece const& each : file.pieces) {
        box<std::int64_t> const bounds = at_points ? each.points : cells_of_piece(each.points, file.points());
        if (count_in(bounds) == 0) continue; // a piece of one layer has no cells
        vtk_xml_array const& array = array_in(each);
        auto const type = vtk_xml_file::type_of(array);
        if (!type) return nullptr;
        if (is_first) {
            shape.type = *type;
            shape.components = static_cast<int>(array.components);
        } else if (shape.type != *type || shape.components != array.components) {
            throw io_error(file.name() + ": its pieces have '" + array.name +
                           "' of different types or numbers of components");
        }
        is_first = false;
        pieces.push_back({bounds, file.values_of(array, *type, count_in(bounds) * array.components)});
    }
    return grid_of_pieces(std::move(shape), std::move(pieces));
}

vtk_xml_array const& array_named(
    vtk_xml_file const& file, vtk_xml_piece const& piece, std::string const& name, bool at_points) {
    for (vtk_xml_array const& each : piece.arrays[at_points ? 0 : 1])
        if (each.name == name) return each;
    throw io_error(file.name() + ": its piece of the extent " + extent_text(file, piece) +
                   " has no values '" + name + "', which others have");
}

bool has_array(vtk_xml_file const& file, std::string_view name, std::size_t of) {
    return std::ranges::any_of(file.pieces, [&](vtk_xml_piece const& piece) {
        return std::ranges::any_of(
            piece.arrays[of], [&](vtk_xml_array const& each) { return each.name == name; });
    });
}

std::vector<std::uint8_t> marks_of(vtk_xml_file const& file, bool at_points) {
    std::vector<std::uint8_t> marks;
    std::string const name(name_of_ghosts);
    if (!has_array(file, name, at_points ? 0 : 1)) return marks;
    grid_shape shape;
    shape.points = file.points();
    if (!at_points)
        for (std::int64_t& each : shape.points) each = std::max<std::int64_t>(each - 1, 1);
    auto const grid = joined(file, shape, at_points, [&](vtk_xml_piece const& piece) -> vtk_xml_array const& {
        return array_named(file, piece, name, at_points);
    });
    if (!grid || grid->shape().components != 1)
        throw io_error(
            file.name() + ": " + name + " has values that are no marks; expected one of type UInt8 each");
    std::vector<std::byte> bytes(bytes_of(grid->shape(), points_of(grid->shape())));
    grid->read(points_of(grid->shape()), bytes);
    visit_values(grid->shape().type, bytes, [&](auto values) {
        for (auto const each : values)
            marks.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(each)));
    });
    return marks;
}

void take_even_axes(vtk_xml_file const& file, grid_shape& shape) {
    for (std::size_t d = 0; d < 3; ++d) {
        shape.place.origin[d] = file.origin[d];
        for (std::size_t e = 0; e < 3; ++e) shape.place.matrix[d][e] = file.direction[3 * d + e];
        for (std::int64_t i = file.extent[2 * d]; i <= file.extent[2 * d + 1]; ++i)
            shape.axes[d].push_back(static_cast<double>(i) * file.spacing[d]);
    }
    straighten(shape, file.name());
}

/// Reads the coordinates along the three axes from each piece. Returns false if VTK must read them.
bool take_coordinates(vtk_xml_file const& file, grid_shape& shape) {
    for (std::size_t d = 0; d < 3; ++d) shape.axes[d].resize(static_cast<std::size_t>(shape.points[d]));
    for (vtk_xml_piece const& each : file.pieces) {
        if (each.places.size() != 3)
            throw io_error(file.name() + ": its piece of the extent " + extent_text(file, each) + " has " +
                           std::to_string(each.places.size()) + " arrays of coordinates, expected 3");
        for (std::size_t d = 0; d < 3; ++d) {
            auto const type = vtk_xml_file::type_of(each.places[d]);
            if (!type || each.places[d].components != 1) return false;
            std::int64_t const count = each.points.hi[d] - each.points.lo[d];
            std::vector<std::byte> bytes(static_cast<std::size_t>(count) * size_of(*type));
            file.values_of(each.places[d], *type, count)->read(0, bytes);
            visit_values(*type, bytes,
                [&](auto values) { std::ranges::copy(values, shape.axes[d].begin() + each.points.lo[d]); });
        }
    }
    return true;
}

bool take_places(vtk_xml_file const& file, grid_shape& shape) {
    grid_shape of_places;
    of_places.points = shape.points;
    auto const places =
        joined(file, of_places, true, [&](vtk_xml_piece const& piece) -> vtk_xml_array const& {
            if (piece.places.size() == 1) return piece.places[0];
            throw io_error(
                file.name() + ": its piece of the extent " + extent_text(file, piece) + " has no points");
        });
    if (!places || places->shape().components != 3) return false;
    take_axes_of_places(*places, shape);
    return true;
}

} // namespace

std::unique_ptr<grid_source> open_vtk_xml_grid(
    std::filesystem::path const& path, grid_file_options const& options) {
    vtk_xml_file const file(path);
    if (!file.is_known) return nullptr;
    chosen_array const chosen = choose(file, options.variable);
    if (!chosen.at_points) check_vtk_xml_cells(path);
    grid_shape shape;
    shape.points = file.points();
    auto const values = [&](grid_shape as) {
        return joined(
            file, std::move(as), chosen.at_points, [&](vtk_xml_piece const& piece) -> vtk_xml_array const& {
                return array_named(file, piece, chosen.name, chosen.at_points);
            });
    };
    auto const first = values(shape); // all properties but axes
    if (!first) return nullptr;
    shape.type = first->shape().type;
    shape.components = first->shape().components;
    check_shape(file.name(), shape);
    if (file.kind == "ImageData")
        take_even_axes(file, shape);
    else if (!(file.kind == "RectilinearGrid" ? take_coordinates(file, shape) : take_places(file, shape)))
        return nullptr;
    if (!chosen.at_points) move_to_cells(shape);
    vtk_ghosts const ghosts{marks_of(file, true), marks_of(file, false)};
    grid_mask mask = mask_of(ghosts, file.points(), shape.values_at, options.each_once);
    return with_mask(values(std::move(shape)), std::move(mask), file.name());
}

std::vector<std::string> fields_of_vtk_xml(std::filesystem::path const& path) {
    vtk_xml_file const file(path);
    std::vector<std::string> names;
    if (!file.is_known || file.pieces.empty()) return names;
    for (auto const& arrays : file.pieces[0].arrays)
        for (vtk_xml_array const& each : arrays)
            if (each.name != name_of_ghosts) names.push_back(each.name);
    return names;
}

} // namespace weft
