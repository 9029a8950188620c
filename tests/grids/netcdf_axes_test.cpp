#include <grids/formats/netcdf_axes.hpp>
#include <grids/formats/netcdf_file.hpp>
#include <grids/grid_files.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>

#include <algorithm>
#include <functional>
#include <map>

using namespace weft;
using namespace weft_test;

namespace {

using texts = std::map<std::string, std::string>;
using axis = std::vector<double>;

/// A dimension and its coordinates; none where these are empty.
struct made_axis {
    std::string name;
    std::size_t length;
    axis coordinates = {};
    texts attributes = {};
};

void ok(int status) {
    ASSERT_EQ(status, NC_NOERR) << nc_strerror(status);
}

void put_texts(int id, int variable, texts const& all) {
    for (auto const& [name, text] : all)
        ok(nc_put_att_text(id, variable, name.c_str(), text.size(), text.c_str()));
}

class netcdf_axes : public with_folder {
protected:
    /// A variable v with the numbers 0, 1, 2, ... on these dimensions, slowest first.
    std::filesystem::path written(std::vector<made_axis> const& axes, texts const& of_values = {},
        std::function<void(int, std::vector<int> const&)> const& more = {}) {
        auto const path = file("axes" + std::to_string(number_++) + ".nc", "");
        if (rank() == 0) {
            int id = -1, v = -1;
            ok(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &id));
            std::vector<int> dims, coordinates;
            std::size_t count = 1;
            for (made_axis const& each : axes) {
                ok(nc_def_dim(id, each.name.c_str(), each.length, &dims.emplace_back()));
                count *= each.length;
                coordinates.push_back(-1);
                if (each.coordinates.empty()) continue;
                ok(nc_def_var(id, each.name.c_str(), NC_DOUBLE, 1, &dims.back(), &coordinates.back()));
                put_texts(id, coordinates.back(), each.attributes);
            }
            ok(nc_def_var(id, "v", NC_FLOAT, static_cast<int>(dims.size()), dims.data(), &v));
            put_texts(id, v, of_values);
            if (more) more(id, dims);
            ok(nc_enddef(id));
            std::vector<float> numbers(count);
            for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i);
            ok(nc_put_var_float(id, v, numbers.data()));
            for (std::size_t i = 0; i < axes.size(); ++i)
                if (coordinates[i] >= 0)
                    ok(nc_put_var_double(id, coordinates[i], axes[i].coordinates.data()));
            ok(nc_close(id));
        }
        meet();
        return path;
    }

private:
    int number_ = 0;
};

made_axis const lon{"lon", 3, {0, 10, 20}, {{"units", "degrees_east"}}};
made_axis const lat{"lat", 2, {50, 40}, {{"standard_name", "latitude"}}};
made_axis const when{"when", 2, {0, 30}, {{"units", "days since 2000-01-01"}}};

TEST_F(netcdf_axes, are_found_by_their_meaning_in_any_order) {
    std::vector<made_axis> order{when, lat, lon};
    std::ranges::sort(order, {}, &made_axis::name);
    do {
        auto const grid = open_grid(written(order), {});
        grid_shape const& shape = grid->shape();
        ASSERT_EQ(shape.points, (std::array<std::int64_t, 3>{3, 2, 2}));
        EXPECT_EQ(shape.axes, (std::array<axis, 3>{lon.coordinates, lat.coordinates, when.coordinates}));
        EXPECT_EQ(shape.axis_names, (std::array<std::string, 3>{"longitude", "latitude", "when"}));
        EXPECT_TRUE(shape.z_is_time);
        for (auto const& part : some_boxes(3, 2, 2)) {
            std::vector<float> expected;
            for (std::int64_t z = part.lo[2]; z < part.hi[2]; ++z)
                for (std::int64_t y = part.lo[1]; y < part.hi[1]; ++y)
                    for (std::int64_t x = part.lo[0]; x < part.hi[0]; ++x) {
                        std::int64_t number = 0;
                        for (made_axis const& each : order)
                            number = number * static_cast<std::int64_t>(each.length) +
                                     (each.name == "lon"      ? x
                                         : each.name == "lat" ? y
                                                              : z);
                        expected.push_back(static_cast<float>(number));
                    }
            EXPECT_EQ(read_box<float>(*grid, part), expected);
        }
        auto const later = open_grid(written(order), {.step = 1});
        EXPECT_EQ(later->shape().points, (std::array<std::int64_t, 3>{3, 2, 1}));
        EXPECT_EQ(later->shape().time, 30.0);
    } while (std::ranges::next_permutation(order, {}, &made_axis::name).found);
}

TEST_F(netcdf_axes, that_say_nothing_keep_their_order) {
    made_axis const a{"a", 2}, b{"b", 3, {1, 2, 4}};
    EXPECT_EQ(
        open_grid(written({a, b}), {})->shape().axes, (std::array<axis, 3>{axis{1, 2, 4}, {0, 1}, {0}}));
    EXPECT_EQ(open_grid(written({lat, when, b}), {})->shape().axes,
        (std::array<axis, 3>{axis{1, 2, 4}, {50, 40}, {0, 30}}));
    EXPECT_EQ(
        open_grid(written({when, lat}), {})->shape().axes, (std::array<axis, 3>{axis{50, 40}, {0, 30}, {0}}));
    made_axis const up{"up", 2, {1000, 500}, {{"units", "hPa"}}};
    EXPECT_EQ(open_grid(written({up, lat, lon}), {})->shape().axes[2], (axis{1000, 500}));
    EXPECT_EQ(open_grid(written({lat, up, lon}), {})->shape().axes[1], (axis{50, 40}));
    made_axis const marked{"c", 2, {7, 8}, {{"axis", "Z"}, {"units", "degrees_east"}}};
    EXPECT_EQ(open_grid(written({lon, marked, lat}), {})->shape().axes[2], (axis{7, 8}));
}

TEST_F(netcdf_axes, of_the_earth_go_on_behind_the_end_of_the_circle) {
    auto const longitudes = [&](axis const& stored) {
        made_axis const around{"lon", stored.size(), stored, {{"units", "degrees_east"}}};
        return open_grid(written({lat, around}), {})->shape().axes[0];
    };
    EXPECT_EQ(longitudes({358, 359, 0, 1}), (axis{358, 359, 360, 361}));
    EXPECT_EQ(longitudes({179, -180, -179}), (axis{179, 180, 181}));
    EXPECT_EQ(longitudes({1, 0, 359, 358}), (axis{1, 0, -1, -2}));
    EXPECT_EQ(longitudes({0, 120, 240, 359}), (axis{0, 120, 240, 359}));
    EXPECT_EQ(longitudes({-180, 0, 179}), (axis{-180, 0, 179}));
}

TEST_F(netcdf_axes, are_unpacked) {
    auto const path = file("packed.nc", "");
    auto const write = [&](std::int16_t first) {
        int id = -1, dims[2] = {}, v = -1, x = -1;
        ok(nc_create(path.c_str(), NC_CLOBBER, &id));
        ok(nc_def_dim(id, "lat", 1, &dims[0]));
        ok(nc_def_dim(id, "lon", 2, &dims[1]));
        ok(nc_def_var(id, "lon", NC_SHORT, 1, dims + 1, &x));
        ok(nc_def_var(id, "v", NC_FLOAT, 2, dims, &v));
        double const scale = 0.5, offset = 10;
        std::int16_t const none = -1;
        ok(nc_put_att_double(id, x, "scale_factor", NC_DOUBLE, 1, &scale));
        ok(nc_put_att_double(id, x, "add_offset", NC_DOUBLE, 1, &offset));
        ok(nc_put_att_short(id, x, "_FillValue", NC_SHORT, 1, &none));
        ok(nc_put_att_text(id, x, "_Unsigned", 4, "true"));
        ok(nc_enddef(id));
        std::int16_t const stored[] = {first, -2}; // 65534
        ok(nc_put_var_short(id, x, stored));
        ok(nc_close(id));
    };
    if (rank() == 0) write(4);
    meet();
    EXPECT_EQ(open_grid(path, {})->shape().axes[0], (axis{12, 32777}));
    meet();
    if (rank() == 0) write(-1);
    meet();
    EXPECT_NE(complaint(path).find("lon: its coordinate 0, counted from 0, is missing"), std::string::npos)
        << complaint(path);
}

TEST_F(netcdf_axes, of_two_dimensions_are_no_straight_ones) {
    texts const names{{"coordinates", "xlong month"}};
    auto const more = [](int id, std::vector<int> const& dims) {
        int variable = -1;
        ok(nc_def_var(id, "xlong", NC_FLOAT, 2, dims.data(), &variable));
        ok(nc_put_att_text(id, variable, "units", 12, "degrees_east"));
    };
    auto const curved = open_grid(written({{"j", 2}, {"i", 3}}, names, more), {});
    EXPECT_EQ(curved->shape().bent, "its coordinates xlong depend on 2 dimensions");
    made_axis const rotated{"rlon", 3, {1, 2, 3}, {{"standard_name", "grid_longitude"}}};
    EXPECT_EQ(open_grid(written({{"rlat", 2}, rotated}, names, more), {})->shape().bent, "");
    auto const named = [](int id, std::vector<int> const& dims) {
        int variable = -1;
        ok(nc_def_var(id, "month", NC_INT, 1, dims.data(), &variable));
        ok(nc_put_att_text(id, variable, "axis", 1, "X"));
    };
    EXPECT_EQ(open_grid(written({{"j", 2}, {"i", 3}}, {{"coordinates", "month"}}, named), {})->shape().points,
        (std::array<std::int64_t, 3>{2, 3, 1}));
}

TEST_F(netcdf_axes, bounds_are_not_the_variable_that_is_meant) {
    made_axis bounded = when;
    bounded.attributes["bounds"] = "when_bnds";
    auto const more = [](int id, std::vector<int> const& dims) {
        int two[] = {dims[0], -1}, variable = -1;
        ok(nc_def_dim(id, "nv", 2, two + 1));
        ok(nc_def_var(id, "when_bnds", NC_DOUBLE, 2, two, &variable));
    };
    EXPECT_EQ(open_grid(written({bounded, lat, lon}, {}, more), {})->shape().points,
        (std::array<std::int64_t, 3>{3, 2, 2}));
}

/// Adds bounds to a file, pairs of numbers.
void add_bounds(std::filesystem::path const& path, std::string const& name, std::string const& dimension,
    axis const& pairs) {
    int id = -1, along = -1, two = -1, bounds = -1;
    ok(nc_open(path.c_str(), NC_WRITE, &id));
    ok(nc_redef(id));
    ok(nc_inq_dimid(id, dimension.c_str(), &along));
    if (nc_inq_dimid(id, "two", &two) != NC_NOERR) ok(nc_def_dim(id, "two", 2, &two));
    std::array<int, 2> const dims{along, two};
    ok(nc_def_var(id, name.c_str(), NC_DOUBLE, 2, dims.data(), &bounds));
    ok(nc_enddef(id));
    ok(nc_put_var_double(id, bounds, pairs.data()));
    ok(nc_close(id));
}

TEST_F(netcdf_axes, bounds_and_a_method_say_that_values_are_of_cells) {
    made_axis east{"lon", 3, {350, 0, 10}, {{"units", "degrees_east"}, {"bounds", "lon_bnds"}}};
    made_axis north{"lat", 2, {50, 40}, {{"standard_name", "latitude"}, {"bounds", "lat_bnds"}}};
    made_axis days{"when", 2, {0, 30}, {{"units", "days since 2000-01-01"}}};
    auto const shape_with = [&](std::string const& methods, axis const& of_lat) {
        auto const path =
            written({days, north, east}, methods.empty() ? texts{} : texts{{"cell_methods", methods}});
        if (rank() == 0) {
            add_bounds(path, "lon_bnds", "lon", {345, 355, -5, 5, 5, 15});
            add_bounds(path, "lat_bnds", "lat", of_lat);
        }
        meet();
        auto const source = open_grid(path, {.variable = "v"});
        EXPECT_EQ(source->shape().points, (std::array<std::int64_t, 3>{3, 2, 2}));
        EXPECT_EQ(read_box<float>(*source, {3, {1, 0, 1}, {3, 2, 2}}), (std::vector<float>{7, 8, 10, 11}));
        return source->shape();
    };
    axis const touching{45, 55, 35, 45};
    for (std::string const methods :
        {"area: mean", "time: point area: mean", "lat: lon: mean (interval: 1 degree)",
            "latitude: longitude: maximum where land", "lon: sum lat: mean"}) {
        grid_shape const shape = shape_with(methods, touching);
        EXPECT_EQ(shape.values_at, value_place::cells) << methods;
        EXPECT_EQ(
            shape.cell_ends, (std::array<axis, 3>{axis{345, 355, 365, 375}, {55, 45, 35}, {-15, 15, 45}}));
        EXPECT_EQ(shape.axes[0], (axis{350, 360, 370}));
    }
    for (std::string const methods :
        {"", "area: point", "time: mean", "lat: mean", "lon: lat: point when: mean"})
        EXPECT_EQ(shape_with(methods, touching).values_at, value_place::points) << methods;
    EXPECT_EQ(shape_with("area: mean", {46, 55, 35, 45}).values_at, value_place::points); // a gap
}

} // namespace
