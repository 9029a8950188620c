#include <meshes/plot3d_mesh.hpp>

#include <files/file_handle.hpp>
#include <grids/values/byte_order.hpp>

#include <weft/core/error.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace weft {

namespace {

using dimensions = std::array<std::int64_t, 3>;

/// The properties of a file that only trials show.
struct variant {
    bool swapped;
    bool records;      ///< written by Fortran: four bytes of length before and after each record
    bool counted;      ///< the number of blocks comes first
    std::int64_t real; ///< bytes of a real
    bool blanked;      ///< IBlank follows the coordinates
};

std::int64_t points_of(dimensions const& of) noexcept {
    return of[0] * of[1] * of[2];
}

class plot3d_file {
public:
    plot3d_file(std::filesystem::path const& file, bool is_solution)
        : file_(file_handle::open_to_read(file)), is_solution_(is_solution), size_(file_.size()) {
        for (int choice = 0; choice < 32; ++choice) {
            how_ = {(choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0, (choice & 8) != 0 ? 8 : 4,
                (choice & 16) != 0};
            if (how_.blanked && is_solution_) continue;
            if (fits()) return;
        }
        throw io_error(file.string() + ": expected a " + (is_solution_ ? "solution" : "grid") +
                       " of PLOT3D in three dimensions, binary and whole; none has the " +
                       std::to_string(size_) + " bytes of this file with the points that it begins with");
    }

    [[nodiscard]] std::vector<dimensions> const& blocks() const noexcept { return blocks_; }
    [[nodiscard]] bool blanked() const noexcept { return how_.blanked; }

    /// Reads the values of array number `array`, from 0, of a block: points from..until-1.
    [[nodiscard]] std::vector<double> reals(
        std::size_t block, std::int64_t array, std::int64_t from, std::int64_t until) const {
        std::int64_t const first = starts_[block] + (array * points_of(blocks_[block]) + from) * how_.real;
        return how_.real == 4 ? as_doubles<float>(first, until - from)
                              : as_doubles<double>(first, until - from);
    }

    [[nodiscard]] std::vector<std::int32_t> blanks(
        std::size_t block, std::int64_t from, std::int64_t until) const {
        return values<std::int32_t>(
            starts_[block] + 3 * points_of(blocks_[block]) * how_.real + from * 4, until - from);
    }

private:
    template <class T>
    [[nodiscard]] std::vector<T> values(std::int64_t first, std::int64_t count) const {
        std::vector<T> read(static_cast<std::size_t>(count));
        std::span<std::byte> const bytes = std::as_writable_bytes(std::span(read));
        file_.read_all(bytes, first);
        if (how_.swapped) swap_bytes(bytes, sizeof(T));
        return read;
    }

    template <class T>
    [[nodiscard]] std::vector<double> as_doubles(std::int64_t first, std::int64_t count) const {
        std::vector<T> const read = values<T>(first, count);
        return {read.begin(), read.end()};
    }

    /// Moves `at` past a record of this number of bytes; returns true if it is there.
    bool pass(std::int64_t& at, std::int64_t bytes) const {
        std::int64_t const mark = how_.records ? 4 : 0;
        if (bytes > size_ - at - 2 * mark) return false;
        bool const fits = !how_.records || (values<std::uint32_t>(at, 1)[0] == bytes &&
                                               values<std::uint32_t>(at + 4 + bytes, 1)[0] == bytes);
        at += bytes + 2 * mark;
        return fits;
    }

    /// Returns true if the file agrees with this variant to its last byte.
    bool fits() {
        blocks_.clear();
        starts_.clear();
        std::int64_t const mark = how_.records ? 4 : 0;
        std::int64_t at = 0;
        std::int64_t count = 1;
        if (how_.counted) {
            if (!pass(at, 4)) return false;
            count = values<std::int32_t>(mark, 1)[0];
            if (count < 1) return false;
        }
        std::int64_t const head = at + mark;
        if (!pass(at, 12 * count)) return false;
        for (std::int64_t block = 0; block < count; ++block)
            if (!fits_block(head + 12 * block, at)) return false;
        return at == size_;
    }

    bool fits_block(std::int64_t head, std::int64_t& at) {
        std::vector<std::int32_t> const along = values<std::int32_t>(head, 3);
        std::int64_t room = size_; // limit of the number of points, so that no product overflows
        for (std::int32_t const each : along) {
            if (each < 2) return false;
            room /= each;
        }
        if (room == 0) return false;
        blocks_.push_back({along[0], along[1], along[2]});
        if (is_solution_ && !pass(at, 4 * how_.real))
            return false; // the Mach number, the angle, the Reynolds number, the time
        starts_.push_back(at + (how_.records ? 4 : 0));
        std::int64_t const each = is_solution_ ? 5 * how_.real : 3 * how_.real + (how_.blanked ? 4 : 0);
        return pass(at, each * points_of(blocks_.back()));
    }

    file_handle file_;
    bool is_solution_;
    std::int64_t size_;
    variant how_{};
    std::vector<dimensions> blocks_;
    std::vector<std::int64_t> starts_; // first byte of the first array of each block
};

struct known_field {
    char const* name;
    std::int64_t first; // the first component, among those of a solution
    int components;
};

constexpr known_field known_fields[] = {{"density", 0, 1}, {"momentum", 1, 3}, {"energy", 4, 1}};

known_field const& field_of(std::filesystem::path const& file, std::string const& name) {
    for (known_field const& each : known_fields)
        if (name == each.name) return each;
    throw usage_error(file.string() + ": has no array '" + name +
                      "'; a solution of PLOT3D has density, momentum and energy");
}

/// Returns the wanted arrays, the field first.
std::vector<known_field> fields_of(mesh_request const& wanted) {
    if (wanted.all) return {std::begin(known_fields), std::end(known_fields)};
    std::vector<known_field> fields;
    if (wanted.field) {
        fields.push_back(field_of(wanted.solution, wanted.field->empty() ? "density" : *wanted.field));
        if (fields.back().components != 1)
            throw usage_error(wanted.solution.string() + ": '" + *wanted.field +
                              "' has 3 values each; expected an array of single values");
    }
    for (std::string const& name : wanted.carried) fields.push_back(field_of(wanted.solution, name));
    return fields;
}

void take_points(plot3d_file const& grid, std::filesystem::path const& file, std::size_t block,
    std::int64_t from, std::int64_t until, mesh_piece& into) {
    std::size_t const before = into.places.size();
    into.places.resize(before + static_cast<std::size_t>(until - from));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<double> const read = grid.reals(block, static_cast<std::int64_t>(axis), from, until);
        for (std::size_t i = 0; i < read.size(); ++i) {
            if (!(std::abs(read[i]) < 1e100)) // as in `check`, but the error names the file
                throw io_error(file.string() + ": point " +
                               std::to_string(from + static_cast<std::int64_t>(i)) + " of block " +
                               std::to_string(block) +
                               " has a coordinate that is not finite, or not below 1e100");
            into.places[before + i][axis] = read[i];
        }
    }
}

/// Reads the cells that begin at the points from..until-1 of a block; adds `first` to their corners.
void take_cells(plot3d_file const& grid, std::size_t block, std::int64_t from, std::int64_t until,
    std::int64_t first, mesh_piece& into) {
    dimensions const& along = grid.blocks()[block];
    std::int64_t const row = along[0];
    std::int64_t const layer = row * along[1];
    std::vector<std::int32_t> blanks; // up to the last corner of these cells
    if (grid.blanked())
        blanks = grid.blanks(block, from, std::min(points_of(along), until + layer + row + 1));
    for (std::int64_t point = from; point < until; ++point) {
        if (point % row + 1 == row || point / row % along[1] + 1 == along[1] || point / layer + 1 == along[2])
            continue;
        std::array<std::int64_t, 8> const corners = {point, point + 1, point + 1 + row, point + row,
            point + layer, point + layer + 1, point + layer + 1 + row, point + layer + row};
        if (grid.blanked() && std::ranges::any_of(corners, [&](std::int64_t corner) {
                return blanks[static_cast<std::size_t>(corner - from)] == 0;
            }))
            continue;
        into.kinds.push_back(cell_kind::hexahedron);
        for (std::int64_t const corner : corners) into.corners.push_back(first + corner);
    }
}

void take_values(plot3d_file const& solution, std::vector<known_field> const& fields, std::size_t block,
    std::int64_t from, std::int64_t until, mesh_piece& into) {
    for (std::size_t field = 0; field < fields.size(); ++field) {
        auto const components = static_cast<std::size_t>(fields[field].components);
        std::vector<double>& values = into.arrays[field].what.values;
        std::size_t const before = values.size();
        values.resize(before + static_cast<std::size_t>(until - from) * components);
        for (std::size_t c = 0; c < components; ++c) {
            std::vector<double> const read =
                solution.reals(block, fields[field].first + static_cast<std::int64_t>(c), from, until);
            for (std::size_t i = 0; i < read.size(); ++i) values[before + i * components + c] = read[i];
        }
    }
}

} // namespace

mesh_piece read_plot3d_mesh(
    std::filesystem::path const& grid, mesh_request const& wanted, int rank, int ranks) {
    plot3d_file const points(grid, false);
    plot3d_file const solution(wanted.solution, true);
    if (points.blocks() != solution.blocks())
        throw io_error(wanted.solution.string() + ": expected a solution for the points of " + grid.string() +
                       ", found other numbers of points");
    std::vector<known_field> const fields = fields_of(wanted);
    std::int64_t total = 0;
    for (dimensions const& each : points.blocks()) total += points_of(each);
    uniform_distribution const shares(total, ranks);

    mesh_piece made;
    for (known_field const& each : fields) made.arrays.push_back({{each.name, each.components, {}}, false});
    std::int64_t before = 0; // in earlier blocks
    for (std::size_t block = 0; block < points.blocks().size(); ++block) {
        std::int64_t const here = points_of(points.blocks()[block]);
        std::int64_t const from = std::clamp<std::int64_t>(shares.begin(rank) - before, 0, here);
        std::int64_t const until = std::clamp<std::int64_t>(shares.end(rank) - before, 0, here);
        if (from < until) {
            take_points(points, grid, block, from, until, made);
            take_cells(points, block, from, until, before - shares.begin(rank), made);
            take_values(solution, fields, block, from, until, made);
        }
        before += here;
    }
    return made;
}

} // namespace weft
