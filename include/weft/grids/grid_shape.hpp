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

/// Where the values of a grid lie: at points or in cells.
enum class value_place : std::uint8_t {
    points, ///< At points of the grid; between points values are interpolated linearly.
    cells   ///< In the cells between points: a value holds for its whole cell.
};

/// A grid with straight axes.
struct grid_shape {
    /// The number of values along x, y and z; a plane has one along z.
    std::array<std::int64_t, 3> points{1, 1, 1};
    /// Coordinates of the values along each axis, from the file or else 0, 1, 2, ... For values at cells
    /// these are the middles of the cells.
    std::array<std::vector<double>, 3> axes;
    /// The transformation of these coordinates to those of the world; not set if they are the same.
    placement place = {};
    /// The directions of the world's axes, as NRRD names them: "left-posterior-superior"; empty if the file
    /// does not define them.
    std::string space = {};
    value_place values_at = value_place::points; ///< if the values are at points or in cells
    /// For values at cells: the coordinates of the corners of cells along each axis, one more than there are
    /// values, or a single one if the cells are flat.
    std::array<std::vector<double>, 3> cell_ends = {};
    /// True if some cells of a grid with values at points are hidden: `grid_source::read_hidden` marks them.
    /// Hidden values, at points or at cells, are missing data.
    bool hides_cells = false;
    /// The number of values at each point: 1, or 3 for a field of vectors.
    int components = 1;
    value_type type = value_type::float32; ///< The type of the values.
    /// The value that marks missing data; NaN always does.
    std::optional<double> missing = {};
    std::optional<double> time = {}; ///< The time of the chosen step, if the file has it.
    std::string units = {};          ///< The units of the values, if the file has them.
    /// Names of x, y and z, if the file has them: "longitude" and "latitude" are those of the earth.
    std::array<std::string, 3> axis_names = {};
    std::array<std::string, 3> axis_units =
        {};                 ///< Units along x, y and z, if the file has them: "degrees_east", "m".
    bool z_is_time = false; ///< True if z is time.
    /// If the grid is curvilinear, and so its axes have no coordinates: a text that says so; else empty.
    std::string bent = {};
    /// The number of time steps of the file, one of which is read; 0 if it has no time beside x, y and z.
    std::int64_t steps = 0;
};

/// Returns the box of all points of a grid. Local.
[[nodiscard]] box<std::int64_t> points_of(grid_shape const& shape) noexcept;

/// An axis whose points follow each other in equal steps.
struct even_axis {
    double origin = 0;  ///< The first coordinate.
    double spacing = 1; ///< It is below 0 if coordinates descend, and 1 if there is only one point.
};

/// Returns the origin and the spacing of coordinates along an axis; nullopt if steps differ by more than a
/// thousandth, or two points are equal. Local.
[[nodiscard]] std::optional<even_axis> even_axis_of(std::vector<double> const& coordinates) noexcept;

} // namespace weft
