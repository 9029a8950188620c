/// Lines in flat fields, which have one layer of points: where the field has a value, and where a plane cuts.
#pragma once

#include "field_input.hpp"

#include <weft/contouring/slice.hpp>
#include <weft/contouring/surface.hpp>
#include <weft/core/communicator.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft::tool {

/// A line through triangles, closed where its last point is its first.
struct flat_line {
    std::size_t part = 0; ///< of the cuts
    std::vector<std::array<double, 3>> places;
    std::vector<double> values; ///< of the field, at the places

    [[nodiscard]] double length() const noexcept;
};

/// A line is where this is 0, given the place and the value of a point; points where it is not below 0 are
/// inside.
using line_rule = std::function<double(std::array<double, 3> const& place, double value)>;

/// The plane in which a volume with one layer of points lies; nothing for other fields.
[[nodiscard]] std::optional<plane> plane_of_flat_field(field_input const& field);

/// The triangles of that plane, with the values of the field. Collective.
[[nodiscard]] surface sheet_of_flat_field(
    communicator const& comm, field_input const& field, plane const& flat);

/// The lines of each rule, in the order of their first points, on rank 0. `both_ends`: a line along the end
/// of the sheet is one, also where all points beside it are inside. Collective. Cost: one pass over the
/// triangles; the lines go to rank 0.
[[nodiscard]] std::vector<flat_line> lines_of(
    communicator const& comm, surface const& sheet, std::vector<line_rule> const& rules, bool both_ends);

/// Throws `usage_error` for a name that ends otherwise than files of lines: .vtp, .csv, .tsv, .npy.
void check_line_file(std::string const& file);

/// Writes a file of VTK or a table: a row a point, with its line, the distance along that, its place and
/// value. `numbers`: of each part. Rank 0 writes. Collective. Throws: `io_error`, agreed.
void write_lines(communicator const& comm, std::vector<flat_line> const& lines,
    std::vector<double> const& numbers, std::string const& name, std::string const& file);

} // namespace weft::tool
