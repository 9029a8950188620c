#include <grids/formats/netcdf_grid.hpp>

#include <grids/formats/cf_values.hpp>
#include <grids/formats/netcdf_classic.hpp>
#include <grids/values/grid_memory.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace weft {

namespace {

class netcdf_file {
public:
    explicit netcdf_file(std::filesystem::path const& path) : name_(path.string()) {
        check_netcdf_classic(path);
        check(nc_open(name_.c_str(), NC_NOWRITE, &id_), "read");
    }
    netcdf_file(netcdf_file const&) = delete;
    netcdf_file& operator=(netcdf_file const&) = delete;
    ~netcdf_file() { nc_close(id_); }

    [[nodiscard]] int id() const noexcept { return id_; }
    [[nodiscard]] std::string const& name() const noexcept { return name_; }

    void check(int status, std::string const& what) const {
        if (status != NC_NOERR) throw io_error(name_ + ": cannot " + what + ": " + nc_strerror(status));
    }

private:
    std::string name_;
    int id_ = -1;
};

/// A variable's dimensions, slowest first.
struct variable_shape {
    std::vector<int> ids;
    std::vector<std::size_t> lengths;
    nc_type type = NC_NAT;
};

variable_shape shape_of(netcdf_file const& file, int variable) {
    variable_shape found;
    int count = 0;
    file.check(nc_inq_varndims(file.id(), variable, &count), "read a variable of");
    found.ids.resize(static_cast<std::size_t>(count));
    file.check(nc_inq_vardimid(file.id(), variable, found.ids.data()), "read a variable of");
    file.check(nc_inq_vartype(file.id(), variable, &found.type), "read a variable of");
    for (int const id : found.ids) {
        std::size_t length = 0;
        file.check(nc_inq_dimlen(file.id(), id, &length), "read a dimension of");
        found.lengths.push_back(length);
    }
    return found;
}

std::string name_of_variable(netcdf_file const& file, int variable) {
    char name[NC_MAX_NAME + 1] = {};
    file.check(nc_inq_varname(file.id(), variable, name), "read a variable of");
    return name;
}

/// A text attribute; empty where there is none.
std::string text_of(netcdf_file const& file, int variable, char const* attribute) {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    if (nc_inq_att(file.id(), variable, attribute, &type, &length) != NC_NOERR || type != NC_CHAR) return {};
    std::string text(length, '\0');
    file.check(nc_get_att_text(file.id(), variable, attribute, text.data()), "read an attribute of");
    return text.substr(0, text.find('\0'));
}

/// The variables that could be a grid, for an error that says what there is.
std::string names_of_grids(netcdf_file const& file) {
    int count = 0;
    file.check(nc_inq_nvars(file.id(), &count), "read the variables of");
    std::string all;
    for (int variable = 0; variable < count; ++variable)
        if (shape_of(file, variable).ids.size() >= 2)
            all += (all.empty() ? "" : ", ") + name_of_variable(file, variable);
    return all.empty() ? "none of two dimensions or more" : all;
}

/// `is_unsigned`: as the attribute _Unsigned says, since classic files have no unsigned integers.
value_type type_of_variable(nc_type type, bool is_unsigned, std::string const& where) {
    switch (type) {
    case NC_BYTE:
        return is_unsigned ? value_type::uint8 : value_type::int8;
    case NC_CHAR:
    case NC_UBYTE:
        return value_type::uint8;
    case NC_SHORT:
        return is_unsigned ? value_type::uint16 : value_type::int16;
    case NC_USHORT:
        return value_type::uint16;
    case NC_INT:
        return is_unsigned ? value_type::uint32 : value_type::int32;
    case NC_UINT:
        return value_type::uint32;
    case NC_INT64:
        return value_type::int64;
    case NC_UINT64:
        return value_type::uint64;
    case NC_FLOAT:
        return value_type::float32;
    case NC_DOUBLE:
        return value_type::float64;
    default:
        throw usage_error(where + ": cannot use values of this type");
    }
}

std::vector<std::string> split_at_commas(std::string const& list) {
    std::vector<std::string> parts(1);
    for (char const each : list)
        if (each == ',')
            parts.emplace_back();
        else
            parts.back() += each;
    return parts;
}

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
                if (nc_inq_varid(file_.id(), name.c_str(), &variable) != NC_NOERR)
                    throw usage_error(file_.name() + ": has no variable '" + name + "'; there are " +
                                      names_of_grids(file_));
                if (first < 0) {
                    first = variable;
                    take_shape(variable, name);
                } else if (shape_of(file_, variable).ids != dimensions_.ids ||
                           shape_of(file_, variable).type != dimensions_.type)
                    throw usage_error(file_.name() + ": " + name + " and " + name_of_variable(file_, first) +
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
        for (std::size_t d = 0; d < spatial_; ++d) {
            start[rank - 1 - d] = static_cast<std::size_t>(points.lo[d]);
            count[rank - 1 - d] = static_cast<std::size_t>(points.hi[d] - points.lo[d]);
        }
        if (spatial_ < rank) start[0] = static_cast<std::size_t>(step_);
        std::size_t const value = size_of(shape_.type);
        auto const components = static_cast<std::size_t>(shape_.components);
        auto const load = [&](int variable, std::byte* to) {
            file_.check(nc_get_vara(file_.id(), variable, start.data(), count.data(), to), "read values of");
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
    /// The only variable of two dimensions or more.
    std::string only_grid() const {
        std::string const all = names_of_grids(file_);
        if (all.find_first_of(", ") != std::string::npos)
            throw usage_error(
                file_.name() + ": say which variable is meant with --variable; there are " + all);
        return all;
    }

    void take_shape(int variable, std::string const& name) {
        dimensions_ = shape_of(file_, variable);
        std::size_t const rank = dimensions_.ids.size();
        stored_ = type_of_variable(
            dimensions_.type, text_of(file_, variable, "_Unsigned") == "true", file_.name() + ": " + name);
        shape_.type = stored_;
        if (step_ < 0 && rank == 4 && dimensions_.lengths[0] == 1) step_ = 0; // there is no choice
        bool const has_step = step_ >= 0 && rank >= 2;
        spatial_ = std::min<std::size_t>(has_step ? rank - 1 : rank, 3);
        if (rank > spatial_ + (has_step ? 1 : 0) || rank == 0)
            throw usage_error(file_.name() + ": " + name + " has " + std::to_string(rank) +
                              " dimensions; with up to three, or four and a --step, it can be read");
        if (has_step && static_cast<std::size_t>(step_) >= dimensions_.lengths[0])
            throw usage_error(file_.name() + ": " + name + " has " + std::to_string(dimensions_.lengths[0]) +
                              " steps, counted from 0; there is no " + std::to_string(step_));
        for (std::size_t d = 0; d < spatial_; ++d)
            shape_.points[d] = static_cast<std::int64_t>(dimensions_.lengths[rank - 1 - d]);
        check_shape(file_.name() + ": " + name, shape_);
        shape_.units = text_of(file_, variable, "units");
        shape_.z_is_time = spatial_ == 3 && is_time(dimensions_.ids[rank - 3]);
        number_axes(shape_);
        for (std::size_t d = 0; d < spatial_; ++d) {
            auto axis = coordinates_of(dimensions_.ids[rank - 1 - d], shape_.axes[d].size());
            if (!axis.empty()) shape_.axes[d] = std::move(axis);
            describe_axis(d, dimensions_.ids[rank - 1 - d]);
        }
        if (has_step) {
            auto const times = coordinates_of(dimensions_.ids[0], dimensions_.lengths[0]);
            if (!times.empty()) shape_.time = times[static_cast<std::size_t>(step_)];
        }
    }

    /// The type that holds the values of all components, and what is missing among them.
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

    void describe_axis(std::size_t axis, int dimension) {
        char name[NC_MAX_NAME + 1] = {};
        file_.check(nc_inq_dimname(file_.id(), dimension, name), "read a dimension of");
        shape_.axis_names[axis] = name;
        int variable = -1;
        if (nc_inq_varid(file_.id(), name, &variable) != NC_NOERR) return;
        shape_.axis_units[axis] = text_of(file_, variable, "units");
        std::string const standard = text_of(file_, variable, "standard_name");
        if (!standard.empty()) shape_.axis_names[axis] = standard;
        if (standard == "longitude" || is_degrees(shape_.axis_units[axis], 'E', "east"))
            shape_.axis_names[axis] = "longitude";
        if (standard == "latitude" || is_degrees(shape_.axis_units[axis], 'N', "north"))
            shape_.axis_names[axis] = "latitude";
    }

    /// The units of longitude or latitude, as CF 1.11 (sections 4.1 and 4.2) spells them.
    [[nodiscard]] static bool is_degrees(std::string const& units, char letter, std::string const& towards) {
        for (std::string const degree : {"degree", "degrees"})
            for (std::string const& end : {"_" + towards, std::string("_") + letter, std::string(1, letter)})
                if (units == degree + end) return true;
        return false;
    }

    /// By the CF conventions: the units of its coordinates are "... since ...", or they are the axis T.
    [[nodiscard]] bool is_time(int dimension) const {
        char name[NC_MAX_NAME + 1] = {};
        file_.check(nc_inq_dimname(file_.id(), dimension, name), "read a dimension of");
        int variable = -1;
        if (nc_inq_varid(file_.id(), name, &variable) != NC_NOERR) return false;
        return text_of(file_, variable, "axis") == "T" ||
               text_of(file_, variable, "units").find(" since ") != std::string::npos;
    }

    /// The coordinates of a dimension are in the variable of its name; empty where there is none.
    [[nodiscard]] std::vector<double> coordinates_of(int dimension, std::size_t length) const {
        char name[NC_MAX_NAME + 1] = {};
        file_.check(nc_inq_dimname(file_.id(), dimension, name), "read a dimension of");
        int variable = -1;
        if (nc_inq_varid(file_.id(), name, &variable) != NC_NOERR ||
            shape_of(file_, variable).ids != std::vector<int>{dimension})
            return {};
        std::vector<double> axis(length);
        int const status = nc_get_var_double(file_.id(), variable, axis.data());
        if (status == NC_ECHAR) return {}; // names rather than numbers
        file_.check(status, "read the coordinates of");
        return axis;
    }

    netcdf_file file_;
    std::int64_t step_;
    variable_shape dimensions_;
    std::size_t spatial_ = 0;         // dimensions that are x, y, z
    std::vector<int> variables_;      // one a component; -1: zero
    std::vector<cf_values> meanings_; // of the variables that there are
    value_type stored_ = value_type::float32;
    grid_shape shape_;
};

} // namespace

std::unique_ptr<grid_source> open_netcdf_grid(
    std::filesystem::path const& file, grid_file_options const& options) {
    return std::make_unique<netcdf_grid>(file, options);
}

} // namespace weft
