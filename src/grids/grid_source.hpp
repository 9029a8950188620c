/// Values on a grid of points, read box by box from files of many formats.
#pragma once

#include <weft/blocks/box.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft {

/// The type of the values of a grid, in the byte order of this machine.
enum class value_type : std::uint8_t {
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float32,
    float64
};

[[nodiscard]] constexpr std::size_t size_of(value_type type) noexcept {
    constexpr unsigned char bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return bytes[static_cast<std::size_t>(type)];
}
[[nodiscard]] char const* name_of(value_type type) noexcept;
/// "uint8", "float32", ... Throws: `usage_error`, which names those there are.
[[nodiscard]] value_type value_type_named(std::string const& name);

/// A grid of points with straight axes.
struct grid_shape {
    std::array<std::int64_t, 3> points{1, 1, 1}; ///< Along x, y and z; a plane has one along z.
    /// Coordinates of the points along each axis, as a file has them; 0, 1, 2, ... where it has none.
    std::array<std::vector<double>, 3> axes;
    int components = 1; ///< Values a point: 1, or 3 for a field of vectors.
    value_type type = value_type::float32;
    /// The value that stands for none; NaN always does.
    std::optional<double> missing = {};
    std::optional<double> time = {}; ///< Of the step that was asked for, where the file says it.
    std::string units = {};          ///< Of the values, where the file says it.
    /// Of x, y and z, where the file says them: "longitude" and "latitude" are those of the earth.
    std::array<std::string, 3> axis_names = {};
    std::array<std::string, 3> axis_units = {};
    bool z_is_time = false; ///< Planes are moments.
    /// Why the axes say nothing: the points of a curvilinear grid, of which one is named; else empty.
    std::string bent = {};
};

/// The points of a grid, all of them.
[[nodiscard]] box<std::int64_t> points_of(grid_shape const& shape) noexcept;
/// Axes 0, 1, 2, ... of a grid of so many points.
void number_axes(grid_shape& shape);
/// Makes axes of points, and their number, those of the middles of the cells between them; an axis of one
/// point stays.
void move_to_cells(grid_shape& shape);

/// Facts that a file cannot say of itself, and the part of it that is wanted.
struct grid_file_options {
    /// Points along x, y and z of a raw file, x fastest.
    std::array<std::int64_t, 3> dims{};
    /// Type of the values of a raw file.
    std::optional<value_type> type = {};
    /// Byte order of the values of a raw file; empty: that of this machine.
    std::optional<std::endian> byte_order = {};
    /// Bytes of a raw file before its values.
    std::int64_t header_bytes = 0;
    /// Values a point of a raw file, a point's together.
    int components = 1;
    /// The last index of an array (NumPy, HDF5) is that of components, of which vectors have two or three.
    bool vectors = false;
    /// Arrays of a VTK file or variables of a NetCDF file, separated by commas: one, or one a component, of
    /// which an empty name means zero. Empty: the first that fits.
    std::string variable = {};
    /// Which time step of a NetCDF variable that has time beside x, y and z; -1: time is an axis of its own.
    std::int64_t step = -1;
    /// Which value of each pixel of an image: red, green, blue, alpha, or its number from 0. Empty: the only
    /// one.
    std::string channel = {};
};

/// A file with values on a grid. Not collective: each rank opens it and reads the boxes that it needs.
class grid_source {
public:
    virtual ~grid_source() = default;

    [[nodiscard]] virtual grid_shape const& shape() const noexcept = 0;

    /// Reads the values of a box of points, x fastest, the components of a point together; `into` has
    /// `size_of(type)` bytes for each. Throws: `io_error`, which names the file and the cause.
    virtual void read(box<std::int64_t> const& points, std::span<std::byte> into) = 0;
};

/// Opens a grid by what its name ends in; a folder, or a pattern such as `frames/*.tif`, is a stack of
/// images. Local. Throws: `io_error`; `usage_error` where an option is missing or does not fit the format.
[[nodiscard]] std::unique_ptr<grid_source> open_grid(
    std::filesystem::path const& file, grid_file_options const& options);

/// Bytes of the values of a box. Throws: `usage_error` for a box that is not of three dimensions.
[[nodiscard]] std::size_t bytes_of(grid_shape const& shape, box<std::int64_t> const& points);

/// Calls `use` with a span of the values in their type. Local.
template <class Use>
decltype(auto) visit_values(value_type type, std::span<std::byte const> bytes, Use&& use) {
    auto const as = [&]<class T>(T) -> decltype(auto) {
        return use(std::span(reinterpret_cast<T const*>(bytes.data()), bytes.size() / sizeof(T)));
    };
    switch (type) {
    case value_type::int8:
        return as(std::int8_t{});
    case value_type::uint8:
        return as(std::uint8_t{});
    case value_type::int16:
        return as(std::int16_t{});
    case value_type::uint16:
        return as(std::uint16_t{});
    case value_type::int32:
        return as(std::int32_t{});
    case value_type::uint32:
        return as(std::uint32_t{});
    case value_type::int64:
        return as(std::int64_t{});
    case value_type::uint64:
        return as(std::uint64_t{});
    case value_type::float32:
        return as(float{});
    case value_type::float64:
        return as(double{});
    }
    throw std::logic_error("a type of values that does not exist");
}

} // namespace weft
