#include "traced_field.hpp"

#include "options/input_file.hpp"
#include "options/number_check.hpp"

#include <grids/views/ascending_grid.hpp>
#include <grids/views/periodic_grid.hpp>
#include <grids/views/point_means_grid.hpp>
#include <tracing/file_flow.hpp>
#include <tracing/synthetic_flow.hpp>

#include <weft/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace weft::tool {

namespace {

/// Of an axis: from the first to the last point, or from end to end of the cells.
double length_of_axis(grid_shape const& shape, std::size_t d) {
    bool const of_cells = shape.values_at == value_place::cells;
    std::vector<double> const& axis = of_cells ? shape.cell_ends[d] : shape.axes[d];
    return axis.back() - axis.front();
}

} // namespace

void traced_field::add_to(CLI::App& parser) {
    parser.add_option("FIELD", files_, help_of_volumes("A vector field; several files are its time steps"));
    parser.add_option("--synthetic", synthetic_,
        "In place of a file, use a synthetic flow in a cube with n cells along each edge, given as "
        "fast=10,slow=1,n=64, which are the defaults. Along x the flow has the velocity slow in the blocks "
        "on "
        "the diagonal of the cube (with lattice=L: in the diagonal cells of a lattice with L cells along "
        "each edge, for any number of blocks), and the velocity fast elsewhere");
    parser.add_option("--field,--variable", grid_.variable,
        help_of_arrays(
            "Array of vectors, or three arrays U,V,W; an empty name stands for a component that is zero"));
    raw_.add_to(parser);
    parser.add_option("--components", grid_.components, "Number of values at each point of a raw file")
        ->check(between(2, 3))
        ->default_val(3);
    parser
        .add_option("--steps", steps_,
            "Time steps of a NetCDF file to read, as FIRST,COUNT, counted from 0; with COUNT 1 the flow is "
            "steady")
        ->delimiter(',')
        ->expected(2);
    parser
        .add_option("--times", times_,
            "Time of the first time step and time between steps, as T0,DT (default: read from the NetCDF "
            "file, otherwise 0,1)")
        ->delimiter(',')
        ->expected(2);
    parser
        .add_option("--periodic", periodic_,
            "Periodic axes, as x or x=360,z=2: a particle that leaves the field at one end enters it at the "
            "other end. The default period is 360 for a longitude in degrees, otherwise the length of the "
            "axis plus one cell")
        ->delimiter(',');
}

void traced_field::check() const {
    if (files_.empty() == synthetic_.empty())
        throw CLI::ValidationError("FIELD", "name a field in files, or one by --synthetic");
    if (!periodic_.empty() && !synthetic_.empty())
        throw CLI::ValidationError("--periodic", "needs a field in files");
}

std::unique_ptr<flow> traced_field::open(std::filesystem::path const& first_file) {
    if (!synthetic_.empty()) return std::make_unique<synthetic_flow>(synthetic_flow::parse(synthetic_));
    grid_file_options options = grid_;
    raw_.apply_to(options);
    options.vectors = true;
    std::vector<std::unique_ptr<grid_source>> steps;
    for (std::size_t number = 0; number < files_.size(); ++number) {
        std::filesystem::path const file = number == 0 ? first_file : std::filesystem::path(files_[number]);
        std::int64_t const first = steps_.empty() ? -1 : steps_[0];
        std::int64_t const count = steps_.empty() ? 1 : steps_[1];
        if (count < 1) throw usage_error("--steps: the number of steps must be at least 1");
        for (std::int64_t i = 0; i < count; ++i) {
            options.step = steps_.empty() ? -1 : first + i;
            steps.push_back(with_ascending_axes(open_grid(file, options)));
        }
    }
    grid_shape const first = steps.front()->shape();
    units_ = first.units;
    axis_names_ = first.axis_names;
    axis_units_ = first.axis_units;
    for (auto const& step : steps)
        if (step->shape().z_is_time)
            throw usage_error(
                first_file.string() +
                ": its slowest axis is time; say which steps are meant with --steps FIRST,COUNT");
    std::array<double, 3> const periods = periods_of(first);
    std::array<bool, 3> closes{}; // after the last cell, not after a gap behind it
    for (std::size_t d = 0; d < 3; ++d)
        closes[d] = std::abs(periods[d] - length_of_axis(first, d)) < 1e-3 * length_of_axis(first, d);
    for (auto& step : steps) step = with_values_at_points(std::move(step), closes);
    if (periods != std::array<double, 3>{})
        for (auto& step : steps) step = with_periodic_axes(std::move(step), periods);
    std::vector<double> times;
    for (auto const& step : steps) times.push_back(time_of(*step, static_cast<double>(times.size())));
    return std::make_unique<file_flow>(std::move(steps), first_file.string(), std::move(times),
        std::array{periods[0] > 0, periods[1] > 0, periods[2] > 0});
}

/// 0 for an axis that is not periodic.
std::array<double, 3> traced_field::periods_of(grid_shape const& shape) const {
    std::array<double, 3> periods{};
    for (std::string const& each : periodic_) {
        std::size_t const axis = std::string_view("xyz").find(each.empty() ? '?' : each[0]);
        if (axis > 2 || (each.size() > 1 && each[1] != '='))
            throw usage_error("--periodic " + each + ": expected x, y or z, and maybe a period, as x=360");
        double const length = length_of_axis(shape, axis);
        auto const cells = static_cast<double>(shape.points[axis] - 1); // between values
        bool const is_longitude = shape.axis_names[axis] == "longitude";
        periods[axis] = is_longitude                            ? 360
                        : shape.values_at == value_place::cells ? length
                        : cells > 0                             ? length * (cells + 1) / cells
                                                                : 1;
        if (each.size() == 1) continue;
        auto const [end, failure] =
            std::from_chars(each.data() + 2, each.data() + each.size(), periods[axis]);
        if (failure != std::errc{} || end != each.data() + each.size() || !(periods[axis] > 0))
            throw usage_error("--periodic " + each + ": expected a period of more than 0");
    }
    return periods;
}

double traced_field::time_of(grid_source const& step, double number) const {
    if (!times_.empty()) return times_[0] + number * times_[1];
    return step.shape().time.value_or(number);
}

std::string traced_field::usual_seeds() const {
    if (synthetic_.empty()) return "every:auto";
    std::int64_t const along = 4 * synthetic_flow::parse(synthetic_).n;
    return fmt::format("plane:x=0,{},{}", along, along);
}

std::string traced_field::name() const {
    return synthetic_.empty() ? files_.front() : "synthetic " + synthetic_;
}

std::string traced_field::title() const {
    std::string const of =
        synthetic_.empty() ? short_name_of(files_.front()) : "synthetic flow " + synthetic_;
    return grid_.variable.empty() ? of : of + ": " + grid_.variable;
}

std::string traced_field::axis_label(std::size_t axis) const {
    std::string text = axis_names_[axis];
    if (text.empty()) text = std::string(1, "xyz"[axis]);
    std::string units = axis_units_[axis];
    std::ranges::replace(units, '_', ' ');
    if (units.empty() || units == "1") return text;
    return text + " (" + units + ")";
}

} // namespace weft::tool
