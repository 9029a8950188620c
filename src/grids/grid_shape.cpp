#include <weft/grids/grid_shape.hpp>

#include <weft/core/error.hpp>

#include <cmath>

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

std::optional<even_axis> even_axis_of(std::vector<double> const& coordinates) noexcept {
    if (coordinates.empty()) return {};
    double const first = coordinates.front();
    double const step = coordinates.size() > 1
                            ? (coordinates.back() - first) / static_cast<double>(coordinates.size() - 1)
                            : 1;
    if (step == 0 || !std::isfinite(step)) return {};
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        if (!(std::abs(coordinates[i] - (first + static_cast<double>(i) * step)) < 1e-3 * std::abs(step)))
            return {};
    return even_axis{first, step};
}

} // namespace weft
