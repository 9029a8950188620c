#include <grids/formats/netcdf_grid.hpp>

#include <grids/formats/cf_values.hpp>
#include <grids/formats/netcdf_axes.hpp>
#include <grids/formats/netcdf_file.hpp>
#include <grids/values/grid_memory.hpp>
#include <grids/values/name_list.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace weft {

namespace {

class netcdf_grid final : public grid_source {
public:
    netcdf_grid(std::filesystem::path const& path, grid_file_options const& options)
        : file_(path), step_(options.step) {
        std::vector<std::string> names = split_at_commas(options.variable);
        if (names.size() == 1 && names[0].empty()) names[0] = only_grid();
        shape_.components = static_cast<int>(names.size());
        int first = -1;
        for (std::string const& name : names) {
            int variable = -1;
            if (!name.empty()) {
                variable = file_.variable_named(name);
                if (variable < 0)
                    throw usage_error(file_.name() + ": has no variable '" + name + "'; there are " +
                                      names_of_grids(file_));
                if (first < 0) {
                    first = variable;
                    take_shape(variable, name);
                } else if (file_.shape_of(variable).ids != dimensions_.ids ||
                           file_.shape_of(variable).type != dimensions_.type)
                    throw usage_error(file_.name() + ": " + name + " and " + file_.name_of(first) +
                                      " have other dimensions or another type");
            }
            variables_.push_back(variable);
            if (variable >= 0)
                meanings_.emplace_back(file_.id(), variable, stored_, file_.name() + ": " + name);
        }
        if (first >= 0) take_type();
        if (first < 0) throw usage_error(file_.name() + ": no variable is named");
    }

    grid_shape const& shape() const noexcept override { return shape_; }

    void read(box<std::int64_t> const& points, std::span<std::byte> into) override {
        std::size_t const rank = dimensions_.ids.size();
        std::vector<std::size_t> start(rank, 0);
        std::vector<std::size_t> count(rank, 1);
        for (std::size_t d = 0; d < order_.size(); ++d) {
            start[order_[d]] = static_cast<std::size_t>(points.lo[d]);
            count[order_[d]] = static_cast<std::size_t>(points.hi[d] - points.lo[d]);
        }
        if (step_at_) start[*step_at_] = static_cast<std::size_t>(step_);
        std::size_t const value = size_of(shape_.type);
        auto const components = static_cast<std::size_t>(shape_.components);
        auto const load = [&](int variable, std::byte* to) {
            bool const as_stored = std::ranges::is_sorted(order_, std::greater{});
            std::vector<std::byte> other(
                as_stored ? 0 : bytes_of(shape_, points) / components / value * size_of(stored_));
            file_.check(
                nc_get_vara(file_.id(), variable, start.data(), count.data(), as_stored ? to : other.data()),
                "read values of");
            if (!as_stored) reorder(other, count, to);
        };
        if (components == 1 && stored_ == shape_.type) {
            load(variables_[0], into.data());
            if (!meanings_[0].are_plain()) meanings_[0].convert(into, shape_.type, into.data(), 1);
            return;
        }
        std::size_t const points_read = into.size() / (components * value);
        std::vector<std::byte> one(points_read * size_of(stored_));
        auto meaning = meanings_.begin();
        for (std::size_t component = 0; component < components; ++component) {
            std::byte* const first = into.data() + component * value;
            if (variables_[component] < 0) {
                for (std::size_t point = 0; point < points_read; ++point)
                    std::memset(first + point * components * value, 0, value);
                continue;
            }
            load(variables_[component], one.data());
            if (stored_ != shape_.type || !meaning->are_plain())
                meaning->convert(one, shape_.type, first, components);
            else
                for (std::size_t point = 0; point < points_read; ++point)
                    std::memcpy(first + point * components * value, one.data() + point * value, value);
            ++meaning;
        }
    }

private:
    /// Returns the only variable with two or more dimensions.
    std::string only_grid() const {
        std::string const all = names_of_grids(file_);
        if (all.find_first_of(", ") != std::string::npos)
            throw usage_error(
                file_.name() + ": say which variable is meant with `variable`; there are " + all);
        return all;
    }

    /// Reorders values from the order of the file, where dimensions have these lengths, to x fastest, then y,
    /// then z.
    void reorder(
        std::span<std::byte const> from, std::vector<std::size_t> const& count, std::byte* to) const {
        std::size_t const value = size_of(stored_);
        std::array<std::size_t, 3> width{1, 1, 1};
        std::array<std::size_t, 3> stride{};
        for (std::size_t d = 0; d < order_.size(); ++d) {
            width[d] = count[order_[d]];
            stride[d] = value;
            for (std::size_t faster = order_[d] + 1; faster < count.size(); ++faster)
                stride[d] *= count[faster];
        }
        for (std::size_t z = 0; z < width[2]; ++z)
            for (std::size_t y = 0; y < width[1]; ++y)
                for (std::size_t x = 0; x < width[0]; ++x, to += value)
                    std::memcpy(to, from.data() + z * stride[2] + y * stride[1] + x * stride[0], value);
    }

    /// Finds the dimension that is a step in time, if one is requested or the choice is unique.
    void find_step(std::vector<netcdf_axis> const& axes, std::string const& name) {
        std::size_t const rank = axes.size();
        auto const of_time = std::ranges::find(axes, axis_role::time, &netcdf_axis::role);
        std::size_t const first =
            of_time == axes.end() ? 0 : static_cast<std::size_t>(of_time - axes.begin());
        if (step_ < 0 && rank == 4 && dimensions_.lengths[first] == 1) step_ = 0;
        if (step_ < 0 || rank < 2) return;
        step_at_ = first;
        if (static_cast<std::size_t>(step_) >= dimensions_.lengths[first])
            throw usage_error(file_.name() + ": " + name + " has " +
                              std::to_string(dimensions_.lengths[first]) +
                              " steps, counted from 0; there is no " + std::to_string(step_));
        shape_.steps = static_cast<std::int64_t>(dimensions_.lengths[first]);
        if (!axes[first].coordinates.empty())
            shape_.time = axes[first].coordinates[static_cast<std::size_t>(step_)];
    }

    void take_shape(int variable, std::string const& name) {
        std::string const where = file_.name() + ": " + name;
        dimensions_ = file_.shape_of(variable);
        auto const type = file_.type_of(variable);
        if (!type) throw usage_error(where + ": cannot use values of this type");
        shape_.type = stored_ = *type;
        for (std::size_t const each : dimensions_.lengths) {
            grid_shape along;
            along.points[0] = static_cast<std::int64_t>(each);
            check_shape(where, along);
        }
        std::vector<netcdf_axis> axes;
        for (int const id : dimensions_.ids) axes.push_back(axis_of(file_, variable, id));
        find_step(axes, name);
        std::vector<std::size_t> places; // the dimensions in space
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (i != step_at_) places.push_back(i);
        if (places.empty() || places.size() > 3)
            throw usage_error(where + " has " + std::to_string(axes.size()) +
                              " dimensions; with up to three, or four and a `step`, it can be read");
        std::vector<netcdf_axis> spatial;
        for (std::size_t const each : places) spatial.push_back(axes[each]);
        shape_.bent = why_bent(file_, variable, spatial);
        for (std::size_t const each : in_space(spatial)) order_.push_back(places[each]);
        for (std::size_t d = 0; d < order_.size(); ++d)
            shape_.points[d] = static_cast<std::int64_t>(dimensions_.lengths[order_[d]]);
        check_shape(where, shape_);
        shape_.units = file_.text_of(variable, "units");
        number_axes(shape_);
        for (std::size_t d = 0; d < order_.size(); ++d) {
            netcdf_axis& axis = axes[order_[d]];
            shape_.axis_names[d] = axis.name;
            shape_.axis_units[d] = std::move(axis.units);
            if (!axis.coordinates.empty()) shape_.axes[d] = std::move(axis.coordinates);
            shape_.z_is_time = d == 2 && axis.role == axis_role::time;
        }
        place_at_cells(variable, axes);
    }

    /// Assigns the values to cells if they belong to cells along x and y, and the file has the ends of these.
    /// Along z, if its values belong to points, cells end in the middle between these.
    void place_at_cells(int variable, std::vector<netcdf_axis> const& axes) {
        if (order_.size() < 2 || !shape_.bent.empty()) return;
        std::array<std::vector<double>, 3> ends;
        for (std::size_t d = 0; d < order_.size(); ++d) {
            netcdf_axis const& axis = axes[order_[d]];
            bool const of_cells = is_of_cells(file_, variable, dimensions_.ids[order_[d]], axis);
            if (of_cells) ends[d] = axis.ends;
            if (d < 2 && ends[d].empty()) return;
        }
        if (ends[2].empty()) ends[2] = ends_between(shape_.axes[2]);
        shape_.values_at = value_place::cells;
        shape_.cell_ends = std::move(ends);
    }

    /// A single coordinate is returned unchanged: the grid is flat.
    static std::vector<double> ends_between(std::vector<double> const& at) {
        if (at.size() < 2) return at;
        std::vector<double> ends{at[0] - (at[1] - at[0]) / 2};
        for (std::size_t i = 1; i < at.size(); ++i) ends.push_back((at[i - 1] + at[i]) / 2);
        ends.push_back(at.back() + (at.back() - at[at.size() - 2]) / 2);
        return ends;
    }

    /// Chooses a type for the values of all components and their missing values.
    void take_type() {
        auto const is_alike = [&](cf_values const& each) {
            return each.type() == stored_ && each.missing() == meanings_[0].missing();
        };
        if (std::ranges::all_of(meanings_, is_alike)) {
            shape_.missing = meanings_[0].missing();
            return;
        }
        bool const wide = std::ranges::any_of(meanings_, [](cf_values const& each) {
            return each.type() != value_type::float32 && size_of(each.type()) >= 4;
        });
        shape_.type = wide ? value_type::float64 : value_type::float32;
        check_shape(file_.name(), shape_);
    }

    netcdf_file file_;
    std::int64_t step_;
    variable_shape dimensions_;
    std::vector<std::size_t> order_; // of x, y and z among the dimensions
    std::optional<std::size_t> step_at_;
    std::vector<int> variables_;      // one for each component; -1: the component is 0
    std::vector<cf_values> meanings_; // of the variables other than -1
    value_type stored_ = value_type::float32;
    grid_shape shape_;
};

} // namespace

std::unique_ptr<grid_source> open_netcdf_grid(
    std::filesystem::path const& file, grid_file_options const& options) {
    return std::make_unique<netcdf_grid>(file, options);
}

std::vector<std::string> fields_of_netcdf(std::filesystem::path const& file) {
    return grids_of(netcdf_file(file));
}

} // namespace weft
