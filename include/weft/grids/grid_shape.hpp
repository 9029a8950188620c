/// The points or cells of a grid and the type of its values, as a file has them.
#pragma once

#include <weft/blocks/box.hpp>
#include <weft/blocks/placement.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// The type of the values of a grid, in the byte order of this machine.
enum class value_type : std::uint8_t {
    int8,    ///< Whole numbers of 8 bits with a sign.
    uint8,   ///< Whole numbers of 8 bits from 0.
    int16,   ///< Whole numbers of 16 bits with a sign.
    uint16,  ///< Whole numbers of 16 bits from 0.
    int32,   ///< Whole numbers of 32 bits with a sign.
    uint32,  ///< Whole numbers of 32 bits from 0.
    int64,   ///< Whole numbers of 64 bits with a sign.
    uint64,  ///< Whole numbers of 64 bits from 0.
    float32, ///< Numbers of IEEE 754 with 32 bits.
    float64  ///< Numbers of IEEE 754 with 64 bits.
};

/// Returns the bytes of a value. Local.
[[nodiscard]] constexpr std::size_t size_of(value_type type) noexcept {
    constexpr unsigned char bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return bytes[static_cast<std::size_t>(type)];
}
/// Returns "uint8", "float32", ... Local.
[[nodiscard]] char const* name_of(value_type type) noexcept;
/// Returns the type of that name. Local. Throws: `usage_error`, which lists the names.
[[nodiscard]] value_type value_type_named(std::string const& name);

/// The place of the values of a grid: at points or in cells.
enum class value_place : std::uint8_t {
    points, ///< At points of the grid, linear in between.
    cells   ///< Between the points: a value holds in all of its cell.
};

/// A grid with straight axes.
struct grid_shape {
    /// Values along x, y and z; a plane has one along z.
    std::array<std::int64_t, 3> points{1, 1, 1};
    /// Coordinates of the values along each axis, as a file has them; else 0, 1, 2, ... For values at cells
    /// they are the middles of the cells.
    std::array<std::vector<double>, 3> axes;
    /// The map from these coordinates to those of the world; not set if they are the same.
    placement place = {};
    /// The directions of the world's axes, as NRRD names them: "left-posterior-superior"; empty where the
    /// file does not say.
    std::string space = {};
    value_place values_at = value_place::points; ///< The place of the values.
    /// For values at cells: coordinates of the points between them along each axis, one more than values, or
    /// a single one if the cells are flat.
    std::array<std::vector<double>, 3> cell_ends = {};
    /// True if some of the cells between values at points are hidden: `grid_source::read_hidden` marks them.
    /// Hidden values, at points or cells, are missing.
    bool hides_cells = false;
    int components = 1;                    ///< Values a point: 1, or 3 for a field of vectors.
    value_type type = value_type::float32; ///< The type of the values.
    /// The value that marks missing data; NaN always does.
    std::optional<double> missing = {};
    std::optional<double> time = {}; ///< The time of the given step, if the file has it.
    std::string units = {};          ///< The units of the values, if the file has them.
    /// Names of x, y and z, if the file has them: "longitude" and "latitude" are those of the earth.
    std::array<std::string, 3> axis_names = {};
    std::array<std::string, 3> axis_units =
        {};                 ///< Units along x, y and z, if the file has them: "degrees_east", "m".
    bool z_is_time = false; ///< True if z is time.
    /// If the grid is curvilinear, so that axes have no coordinates: a text that says so; else empty.
    std::string bent = {};
    /// Time steps of the file, one of which is read; 0 where it has no time beside x, y and z.
    std::int64_t steps = 0;
};

/// Returns the points of a grid, all of them. Local.
[[nodiscard]] box<std::int64_t> points_of(grid_shape const& shape) noexcept;

/// An axis whose points follow each other in equal steps.
struct even_axis {
    double origin = 0;  ///< The first coordinate.
    double spacing = 1; ///< Below 0 where coordinates descend; 1 where there is only one point.
};

/// Returns origin and spacing for coordinates along an axis; nullopt if its steps differ by more than a
/// thousandth, or two points are equal. Local.
[[nodiscard]] std::optional<even_axis> even_axis_of(std::vector<double> const& coordinates) noexcept;

} // namespace weft
