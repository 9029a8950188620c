#include <grids/formats/netcdf_axes.hpp>

#include <core/lower_case.hpp>
#include <grids/formats/cf_values.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string_view>

namespace weft {

namespace {

struct known_word {
    std::string_view word;
    axis_role role;
};

constexpr known_word standard_names[] = {{"longitude", axis_role::x}, {"grid_longitude", axis_role::x},
    {"projection_x_coordinate", axis_role::x}, {"projection_x_angular_coordinate", axis_role::x},
    {"latitude", axis_role::y}, {"grid_latitude", axis_role::y}, {"projection_y_coordinate", axis_role::y},
    {"projection_y_angular_coordinate", axis_role::y}, {"altitude", axis_role::z}, {"height", axis_role::z},
    {"depth", axis_role::z}, {"air_pressure", axis_role::z}, {"model_level_number", axis_role::z},
    {"air_potential_temperature", axis_role::z}, {"time", axis_role::time}};

constexpr known_word axis_types[] = {{"Lon", axis_role::x}, {"GeoX", axis_role::x}, {"Lat", axis_role::y},
    {"GeoY", axis_role::y}, {"Height", axis_role::z}, {"Pressure", axis_role::z}, {"GeoZ", axis_role::z},
    {"Time", axis_role::time}};

constexpr known_word vertical_units[] = {{"Pa", axis_role::z}, {"hPa", axis_role::z}, {"mbar", axis_role::z},
    {"mb", axis_role::z}, {"millibar", axis_role::z}, {"bar", axis_role::z}, {"dbar", axis_role::z},
    {"decibar", axis_role::z}, {"atm", axis_role::z}, {"level", axis_role::z}, {"layer", axis_role::z},
    {"sigma_level", axis_role::z}};

constexpr known_word usual_names[] = {{"x", axis_role::x}, {"lon", axis_role::x}, {"longitude", axis_role::x},
    {"y", axis_role::y}, {"lat", axis_role::y}, {"latitude", axis_role::y}, {"z", axis_role::z},
    {"lev", axis_role::z}, {"level", axis_role::z}, {"height", axis_role::z}, {"depth", axis_role::z},
    {"altitude", axis_role::z}, {"t", axis_role::time}, {"time", axis_role::time}};

template <std::size_t N>
axis_role role_in(known_word const (&words)[N], std::string_view word) {
    auto const* const found =
        std::ranges::find_if(words, [&](known_word const& each) { return each.word == word; });
    return found == std::end(words) ? axis_role::unknown : found->role;
}

/// The units of longitude or latitude, as CF 1.11 (sections 4.1 and 4.2) spells them.
bool is_degrees(std::string const& units, char letter, std::string const& towards) {
    for (std::string const degree : {"degree", "degrees"})
        for (std::string const& end : {"_" + towards, std::string("_") + letter, std::string(1, letter)})
            if (units == degree + end) return true;
    return false;
}

axis_role role_of_units(std::string const& units) {
    if (is_degrees(units, 'E', "east")) return axis_role::x;
    if (is_degrees(units, 'N', "north")) return axis_role::y;
    if (units.find(" since ") != std::string::npos) return axis_role::time;
    return role_in(vertical_units, units);
}

/// Returns the role of coordinates by their attributes, the most explicit one first.
axis_role role_of(netcdf_file const& file, int coordinates) {
    std::string const axis = file.text_of(coordinates, "axis");
    if (axis.size() == 1) {
        constexpr std::string_view letters = "xyzt";
        std::size_t const at =
            letters.find(static_cast<char>(std::tolower(static_cast<unsigned char>(axis[0]))));
        if (at < letters.size()) return static_cast<axis_role>(at);
    }
    std::string const standard = file.text_of(coordinates, "standard_name");
    if (auto const role = role_in(standard_names, standard); role != axis_role::unknown) return role;
    if ((standard.starts_with("atmosphere_") || standard.starts_with("ocean_")) &&
        standard.ends_with("_coordinate"))
        return axis_role::z;
    if (auto const role = role_in(axis_types, file.text_of(coordinates, "_CoordinateAxisType"));
        role != axis_role::unknown)
        return role;
    if (auto const role = role_of_units(file.text_of(coordinates, "units")); role != axis_role::unknown)
        return role;
    if (!file.text_of(coordinates, "positive").empty()) return axis_role::z;
    return role_in(usual_names, in_lower_case(file.name_of(coordinates)));
}

/// Returns the variable with the coordinates of a dimension, which must be numbers that depend on it alone:
/// the variable of the same name, or the only one listed in `coordinates`. -1 if there is none.
int coordinates_of(netcdf_file const& file, int variable, int dimension) {
    auto const fits = [&](int candidate) {
        if (candidate < 0) return false;
        variable_shape const shape = file.shape_of(candidate);
        return shape.ids == std::vector<int>{dimension} && shape.type != NC_CHAR &&
               file.type_of(candidate).has_value();
    };
    if (int const own = file.variable_named(file.dimension_name(dimension)); fits(own)) return own;
    int found = -1;
    for (std::string const& name : file.words_of(variable, "coordinates")) {
        int const candidate = file.variable_named(name);
        if (!fits(candidate) || role_of(file, candidate) == axis_role::unknown) continue;
        if (found >= 0) return -1; // several match, so they list places
        found = candidate;
    }
    return found;
}

/// Returns numbers converted by the attributes of their variable; NaN for missing ones.
std::vector<double> unpacked(netcdf_file const& file, int variable, std::size_t length) {
    std::string const where = file.name() + ": " + file.name_of(variable);
    value_type const stored = file.type_of(variable).value();
    cf_values const meaning(file.id(), variable, stored, where);
    std::vector<std::byte> numbers(length * size_of(stored));
    file.check(nc_get_var(file.id(), variable, numbers.data()), "read the coordinates of");
    std::vector<double> values(length);
    meaning.convert(numbers, value_type::float64, reinterpret_cast<std::byte*>(values.data()), 1);
    return values;
}

void check_coordinates(netcdf_file const& file, int variable, std::vector<double> const& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            throw io_error(
                file.name() + ": " + file.name_of(variable) + ": its coordinate " + std::to_string(i) +
                ", counted from 0, is missing or not a number, so the places of its values are unknown");
}

/// Returns the ends of cells from pairs of bounds that touch, in the order of the coordinates; longitudes are
/// shifted by full circles to match these. Empty if there are no bounds, or gaps between them.
std::vector<double> ends_of(netcdf_file const& file, int coordinates, netcdf_axis const& axis) {
    std::size_t const length = axis.coordinates.size();
    int const bounds = file.variable_named(file.text_of(coordinates, "bounds"));
    if (bounds < 0 || length == 0) return {};
    variable_shape const shape = file.shape_of(bounds);
    if (shape.lengths != std::vector<std::size_t>{length, 2} || !file.type_of(bounds)) return {};
    std::vector<double> const pairs = unpacked(file, bounds, 2 * length);
    if (!std::ranges::all_of(pairs, [](double each) { return std::isfinite(each); })) return {};
    std::vector<double> ends;
    for (std::size_t i = 0; i < length; ++i) {
        double const middle = (pairs[2 * i] + pairs[2 * i + 1]) / 2;
        double const turns = axis.name == "longitude" ? std::round((axis.coordinates[i] - middle) / 360) : 0;
        auto [low, high] = std::minmax({pairs[2 * i] + 360 * turns, pairs[2 * i + 1] + 360 * turns});
        bool const descends = length > 1 && axis.coordinates.back() < axis.coordinates.front();
        if (descends) std::swap(low, high);
        constexpr double allowed = 1e-6; // fraction of a width: bounds may have single precision
        if (i > 0 && !(std::abs(low - ends.back()) <= allowed * std::abs(high - low))) return {};
        if (i == 0) ends.push_back(low);
        ends.push_back(high);
    }
    return ends;
}

/// Continues longitudes where they jump by more than half the circle.
void unwind(std::vector<double>& longitudes) {
    double turns = 0;
    double before = longitudes.empty() ? 0 : longitudes[0];
    for (double& each : longitudes) {
        double const stored = each;
        if (std::abs(stored - before) > 180) turns += stored < before ? 360 : -360;
        before = stored;
        each += turns;
    }
}

} // namespace

netcdf_axis axis_of(netcdf_file const& file, int variable, int dimension) {
    netcdf_axis axis;
    axis.name = file.dimension_name(dimension);
    int const coordinates = coordinates_of(file, variable, dimension);
    if (coordinates < 0) {
        // The coordinates are texts, such as names of months or stations; their attributes may still give a
        // role.
        int const texts = file.variable_named(axis.name);
        if (texts >= 0) axis.role = role_of(file, texts);
        return axis;
    }
    axis.role = role_of(file, coordinates);
    axis.units = file.text_of(coordinates, "units");
    std::string const standard = file.text_of(coordinates, "standard_name");
    if (!standard.empty()) axis.name = standard;
    if (is_degrees(axis.units, 'E', "east") && standard != "grid_longitude") axis.name = "longitude";
    if (is_degrees(axis.units, 'N', "north") && standard != "grid_latitude") axis.name = "latitude";
    std::size_t length = 0;
    file.check(nc_inq_dimlen(file.id(), dimension, &length), "read a dimension of");
    axis.coordinates = unpacked(file, coordinates, length);
    check_coordinates(file, coordinates, axis.coordinates);
    if (axis.name == "longitude") unwind(axis.coordinates);
    axis.ends = ends_of(file, coordinates, axis);
    return axis;
}

bool is_of_cells(netcdf_file const& file, int variable, int dimension, netcdf_axis const& axis) {
    std::vector<std::string> names{file.dimension_name(dimension), axis.name};
    if (int const coordinates = coordinates_of(file, variable, dimension); coordinates >= 0)
        names.push_back(file.name_of(coordinates));
    if (axis.role == axis_role::x || axis.role == axis_role::y) names.emplace_back("area");
    bool named = false; // names precede a method: "lat: lon: mean"
    bool in_names = false;
    for (std::string const& word : file.words_of(variable, "cell_methods")) {
        if (word.ends_with(':')) {
            if (!in_names) named = false;
            in_names = true;
            named = named || std::ranges::find(names, word.substr(0, word.size() - 1)) != names.end();
        } else {
            if (in_names && named) return word != "point";
            in_names = false;
        }
    }
    return false;
}

std::string why_bent(netcdf_file const& file, int variable, std::vector<netcdf_axis> const& axes) {
    for (std::string const& name : file.words_of(variable, "coordinates")) {
        int const candidate = file.variable_named(name);
        if (candidate < 0 || file.shape_of(candidate).ids.size() < 2) continue;
        axis_role const role = role_of(file, candidate);
        if (role != axis_role::x && role != axis_role::y) continue;
        // A grid that is straight in its own projection has coordinates for its dimensions.
        if (std::ranges::any_of(axes, [&](netcdf_axis const& each) { return each.role == role; })) continue;
        return "its coordinates " + name + " depend on " +
               std::to_string(file.shape_of(candidate).ids.size()) + " dimensions";
    }
    return {};
}

std::vector<std::size_t> in_space(std::vector<netcdf_axis> const& axes) {
    std::size_t const count = axes.size();
    constexpr std::size_t nobody = 3;
    std::vector<std::size_t> order(count, nobody);
    std::vector<bool> placed(count, false);
    auto const put = [&](std::size_t axis, std::size_t wanted) {
        std::size_t slot = std::min(wanted, count - 1);
        while (slot > 0 && order[slot] != nobody) --slot;
        while (order[slot] != nobody) ++slot;
        order[slot] = axis;
        placed[axis] = true;
    };
    struct wish {
        axis_role role;
        std::size_t slot;
    };
    for (wish const& each :
        {wish{axis_role::time, 2}, {axis_role::z, 2}, {axis_role::x, 0}, {axis_role::y, 1}})
        for (std::size_t axis = 0; axis < count; ++axis)
            if (axes[axis].role == each.role) put(axis, each.slot);
    for (std::size_t axis = count; axis-- > 0;)
        if (!placed[axis]) put(axis, 0);
    return order;
}

} // namespace weft
