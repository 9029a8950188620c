#include <grids/grid_source.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <numeric>

namespace weft {

namespace {

struct type_entry {
    value_type type;
    char const* name;
};

// In the order of the enumeration.
constexpr type_entry types[] = {
    {value_type::int8, "int8"},
    {value_type::uint8, "uint8"},
    {value_type::int16, "int16"},
    {value_type::uint16, "uint16"},
    {value_type::int32, "int32"},
    {value_type::uint32, "uint32"},
    {value_type::int64, "int64"},
    {value_type::uint64, "uint64"},
    {value_type::float32, "float32"},
    {value_type::float64, "float64"},
};

} // namespace

char const* name_of(value_type type) noexcept {
    return types[static_cast<std::size_t>(type)].name;
}

value_type value_type_named(std::string const& name) {
    std::string all;
    for (type_entry const& entry : types) {
        if (name == entry.name) return entry.type;
        all += all.empty() ? entry.name : std::string(", ") + entry.name;
    }
    throw usage_error("no type of values is called '" + name + "'; there are " + all);
}

box<std::int64_t> points_of(grid_shape const& shape) noexcept {
    return {3, {}, {shape.points[0], shape.points[1], shape.points[2]}};
}

void number_axes(grid_shape& shape) {
    for (std::size_t d = 0; d < 3; ++d) {
        shape.axes[d].resize(static_cast<std::size_t>(shape.points[d]));
        std::iota(shape.axes[d].begin(), shape.axes[d].end(), 0.0);
    }
}

void move_to_cells(grid_shape& shape) {
    for (std::size_t d = 0; d < 3; ++d) {
        std::vector<double>& axis = shape.axes[d];
        for (std::size_t i = 0; i + 1 < axis.size(); ++i) axis[i] = (axis[i] + axis[i + 1]) / 2;
        if (axis.size() > 1) axis.pop_back();
        shape.points[d] = static_cast<std::int64_t>(axis.size());
    }
}

std::size_t bytes_of(grid_shape const& shape, box<std::int64_t> const& points) {
    if (points.dimensions != 3) throw usage_error("a box of a grid has three dimensions");
    std::size_t bytes = size_of(shape.type) * static_cast<std::size_t>(shape.components);
    for (std::size_t d = 0; d < 3; ++d)
        bytes *= static_cast<std::size_t>(std::max<std::int64_t>(points.hi[d] - points.lo[d], 0));
    return bytes;
}

} // namespace weft
