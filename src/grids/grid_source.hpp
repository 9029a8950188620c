/// Readers of values on a grid of points, one for each format.
#pragma once

#include <weft/grids/grid_file.hpp>
#include <weft/grids/grid_shape.hpp>

#include <filesystem>
#include <memory>
#include <stdexcept>

namespace weft {

/// Gives each axis of a grid the coordinates 0, 1, 2, ..., by its number of points.
void number_axes(grid_shape& shape);
/// Places the points of evenly spaced axes: the first one at `origin`, and each next one along axis d by
/// `steps[d]` further. Axes that are parallel to the axes of space get these coordinates, in descending
/// order if they point the other way. Other axes are described by `place`. Local. Throws: `io_error`, with
/// `where` before it, for steps that are not finite, or lie in a plane.
void place_points(grid_shape& shape, std::array<double, 3> const& origin,
    std::array<std::array<double, 3>, 3> const& steps, std::string const& where);
/// If `place` does not turn the axes, moves it into their coordinates. Local. Throws: `io_error`, with
/// `where` before it, for a `place` that is not finite, or whose axes lie in a plane.
void straighten(grid_shape& shape, std::string const& where);
/// Turns a grid of points into one of cells between these points. The axes then have the middles of cells,
/// the number of values changes with them, and the former axes become `cell_ends`. An axis of one point
/// stays.
void move_to_cells(grid_shape& shape);

/// A file with values on a grid. Not collective: each rank opens it and reads the boxes that it needs.
class grid_source {
public:
    virtual ~grid_source() = default;

    [[nodiscard]] virtual grid_shape const& shape() const noexcept = 0;

    /// Reads the values of a box of points, x fastest, the components of a point together; `into` has
    /// `size_of(type)` bytes for each. Throws: `io_error`, which names the file and the cause.
    virtual void read(box<std::int64_t> const& points, std::span<std::byte> into) = 0;

    /// Reads the hidden cells of a box of cells, for a grid that `hides_cells`: 1 for a hidden cell, else
    /// 0, x fastest. Throws: `io_error`.
    virtual void read_hidden(box<std::int64_t> const& cells, std::span<std::uint8_t> into);
};

/// Opens a grid in the format of its ending; a folder, or a pattern such as `frames/*.tif`, is a stack of
/// images. Local. Throws: `io_error`; `usage_error` if an option is missing or does not fit the format.
[[nodiscard]] std::unique_ptr<grid_source> open_grid(
    std::filesystem::path const& file, grid_file_options const& options);

/// Returns the bytes of the values in a box. Throws: `usage_error` for a box of other than three dimensions.
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
