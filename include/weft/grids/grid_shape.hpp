/// The points or cells of a grid in a file, and the type of its values.
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

/// Returns the size of a value in bytes. Local.
[[nodiscard]] constexpr std::size_t size_of(value_type type) noexcept {
    constexpr unsigned char bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return bytes[static_cast<std::size_t>(type)];
}
/// Returns the name of a type: "uint8", "float32", ... Local.
[[nodiscard]] char const* name_of(value_type type) noexcept;
/// Returns the type with a name. Local. Throws: `usage_error`, which lists the names.
[[nodiscard]] value_type value_type_named(std::string const& name);

/// The places of the values of a grid: at points or in cells.
enum class value_place : std::uint8_t {
    points, ///< At points of the grid; between points values are interpolated linearly.
    cells   ///< In the cells between points: a value holds for its whole cell.
};

/// A grid with straight axes.
struct grid_shape {
    /// The number of values along x, y and z; a plane has 1 along z.
    std::array<std::int64_t, 3> points{1, 1, 1};
    /// Coordinates of the values along each axis, from the file or else 0, 1, 2, ... For values at cells the
    /// coordinates are those of the centres of cells.
    std::array<std::vector<double>, 3> axes;
    /// The transformation of coordinates along the axes to coordinates in space. The default changes nothing.
    placement place = {};
    /// The directions of x, y and z in space, named as in NRRD files: "left-posterior-superior"; empty if the
    /// file does not define them.
    std::string space = {};
    value_place values_at = value_place::points; ///< The places of the values.
    /// For values at cells: the coordinates of the corners of cells along each axis, one more than the number
    /// of values, or a single coordinate if the cells are flat.
    std::array<std::vector<double>, 3> cell_ends = {};
    /// True if some cells of a grid with values at points are hidden: `grid_source::read_hidden` marks them.
    /// Values of hidden points or cells are missing data.
    bool hides_cells = false;
    /// The number of values at each point: 1, or 3 for a field of vectors.
    int components = 1;
    value_type type = value_type::float32; ///< The type of the values.
    /// The value that marks missing data; NaN always marks it.
    std::optional<double> missing = {};
    std::optional<double> time = {}; ///< The time of the chosen step, if the file has it.
    std::string units = {};          ///< The units of the values, if the file has them.
    /// Names of x, y and z, if the file has them; "longitude" and "latitude" mean a grid on the earth.
    std::array<std::string, 3> axis_names = {};
    std::array<std::string, 3> axis_units =
        {};                 ///< Units along x, y and z, if the file has them: "degrees_east", "m".
    bool z_is_time = false; ///< True if the axis z is time.
    /// The reason why the axes have no coordinates, if the grid is curvilinear; else empty.
    std::string bent = {};
    /// The number of time steps in the file, one of which is read; 0 without a time axis beside x, y and z.
    std::int64_t steps = 0;
};

/// Returns the box of all points of a grid. Local.
[[nodiscard]] box<std::int64_t> points_of(grid_shape const& shape) noexcept;

/// An axis whose points have equal distances.
struct even_axis {
    double origin = 0; ///< The first coordinate.
    /// The distance of neighbouring points: below 0 if coordinates descend, 1 if the axis has one point.
    double spacing = 1;
};

/// Returns the origin and the spacing of coordinates along an axis; nullopt if the distances of neighbouring
/// points differ by more than a thousandth, or if two points are equal. Local.
[[nodiscard]] std::optional<even_axis> even_axis_of(std::vector<double> const& coordinates) noexcept;

} // namespace weft
