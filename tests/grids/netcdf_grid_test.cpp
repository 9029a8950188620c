#include <grids/formats/netcdf_grid.hpp>
#include <grids/grid_files.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>

#include <cmath>

using namespace weft;
using namespace weft_test;

namespace {

constexpr std::int64_t nx = 4, ny = 3, nz = 2, steps = 2;

class netcdf_variables : public with_folder {
protected:
    /// Variables plane(y, x), u and v(z, y, x), and moving(t, z, y, x), the second step 100 higher.
    std::filesystem::path written() {
        auto const path = file("grid.nc", "");
        if (rank() == 0) write(path);
        meet();
        return path;
    }

    static void write(std::filesystem::path const& path) {
        int id = -1, t = -1, z = -1, y = -1, x = -1, variable = -1;
        ok(nc_create(path.c_str(), NC_CLOBBER, &id));
        ok(nc_def_dim(id, "t", steps, &t));
        ok(nc_def_dim(id, "level", nz, &z));
        ok(nc_def_dim(id, "y", ny, &y));
        ok(nc_def_dim(id, "x", nx, &x));
        int const dims[] = {t, z, y, x};
        ok(nc_def_var(id, "x", NC_DOUBLE, 1, &x, &variable));
        int plane = -1, u = -1, v = -1, moving = -1;
        ok(nc_def_var(id, "plane", NC_SHORT, 2, dims + 2, &plane));
        ok(nc_def_var(id, "u", NC_FLOAT, 3, dims + 1, &u));
        ok(nc_def_var(id, "v", NC_FLOAT, 3, dims + 1, &v));
        ok(nc_def_var(id, "moving", NC_FLOAT, 4, dims, &moving));
        float const none = -99;
        ok(nc_put_att_float(id, u, "missing_value", NC_FLOAT, 1, &none));
        ok(nc_enddef(id));
        double const axis[] = {10, 11, 13, 17};
        ok(nc_put_var_double(id, variable, axis));
        box<std::int64_t> const all{3, {}, {nx, ny, nz}};
        ok(nc_put_var_short(id, plane, values_in<short>({3, {}, {nx, ny, 1}}).data()));
        std::vector<float> values = values_in<float>(all);
        ok(nc_put_var_float(id, u, values.data()));
        std::size_t const count[] = {1, nz, ny, nx};
        std::size_t start[] = {0, 0, 0, 0};
        ok(nc_put_vara_float(id, moving, start, count, values.data()));
        for (float& each : values) each += 3; // a second component of the test grid
        ok(nc_put_var_float(id, v, values.data()));
        for (float& each : values) each += 97;
        start[0] = 1;
        ok(nc_put_vara_float(id, moving, start, count, values.data()));
        ok(nc_close(id));
    }

    static void ok(int status) { ASSERT_EQ(status, NC_NOERR) << nc_strerror(status); }
};

TEST_F(netcdf_variables, each_box_has_its_values) {
    auto const path = written();
    auto const plane = open_grid(path, {.variable = "plane"});
    EXPECT_EQ(plane->shape().points, (std::array<std::int64_t, 3>{nx, ny, 1}));
    expect_test_grid<std::int16_t>(*plane);
    auto const u = open_grid(path, {.variable = "u"});
    expect_test_grid<float>(*u);
    EXPECT_EQ(u->shape().axes[0], (std::vector<double>{10, 11, 13, 17}));
    EXPECT_EQ(u->shape().axes[2], (std::vector<double>{0, 1}));
    EXPECT_FALSE(plane->shape().missing);
}

TEST_F(netcdf_variables, one_a_component_and_zero_for_an_empty_name) {
    auto const path = written();
    expect_test_grid<float>(*open_grid(path, {.variable = "u,v"}), 2);
    auto const flat = open_grid(path, {.variable = "u,v,"});
    EXPECT_EQ(flat->shape().components, 3);
    EXPECT_EQ(read_box<float>(*flat, {3, {1, 1, 1}, {2, 2, 2}}),
        (std::vector<float>{value_at<float>(1, 1, 1), value_at<float>(1, 1, 1, 1), 0}));
}

/// One variable of four numbers along x, with attributes.
class netcdf_attributes : public netcdf_variables {
protected:
    struct text_or_numbers {
        char const* name;
        nc_type type;
        std::vector<double> numbers;
        char const* text = nullptr;
    };

    std::unique_ptr<grid_source> opened(
        nc_type type, std::vector<double> const& numbers, std::vector<text_or_numbers> const& attributes) {
        auto const path = file("attributes" + std::to_string(number_++) + ".nc", "");
        if (rank() == 0) {
            int id = -1, dims[2] = {}, v = -1, axis = -1;
            ok(nc_create(path.c_str(), NC_CLOBBER, &id));
            ok(nc_def_dim(id, "lat", 1, &dims[0]));
            ok(nc_def_dim(id, "lon", numbers.size(), &dims[1]));
            ok(nc_def_var(id, "v", type, 2, dims, &v));
            ok(nc_def_var(id, "lon", NC_FLOAT, 1, dims + 1, &axis));
            ok(nc_put_att_text(id, axis, "units", 9, "degrees_E"));
            for (auto const& each : attributes)
                if (each.text != nullptr)
                    ok(nc_put_att_text(id, v, each.name, std::string(each.text).size(), each.text));
                else
                    ok(nc_put_att_double(
                        id, v, each.name, each.type, each.numbers.size(), each.numbers.data()));
            ok(nc_enddef(id));
            ok(nc_put_var_double(id, v, numbers.data()));
            double const longitudes[] = {0, 1, 2, 3, 4, 5, 6, 7};
            ok(nc_put_var_double(id, axis, longitudes));
            ok(nc_close(id));
        }
        meet();
        return open_grid(path, {});
    }

    /// NaN is written as -0.25.
    template <class T>
    static std::vector<T> values_of(grid_source& grid) {
        EXPECT_EQ(size_of(grid.shape().type), sizeof(T));
        auto values = read_box<T>(grid, points_of(grid.shape()));
        for (T& each : values)
            if (std::isnan(static_cast<double>(each))) each = static_cast<T>(-0.25);
        return values;
    }

private:
    int number_ = 0;
};

TEST_F(netcdf_attributes, packed_integers_are_unpacked_and_what_is_missing_is_no_number) {
    auto const packed = opened(NC_SHORT, {0, 10, -1, 300},
        {{"scale_factor", NC_FLOAT, {0.5}}, {"add_offset", NC_FLOAT, {100}}, {"_FillValue", NC_SHORT, {-1}},
            {"units", NC_CHAR, {}, "K"}});
    EXPECT_EQ(packed->shape().units, "K");
    EXPECT_EQ(packed->shape().axis_names[0], "longitude");
    EXPECT_EQ(packed->shape().axis_units[0], "degrees_E");
    EXPECT_EQ(values_of<float>(*packed), (std::vector<float>{100, 105, -0.25F, 250}));
    auto const exact = opened(NC_INT, {1, 2}, {{"scale_factor", NC_DOUBLE, {0.1}}});
    EXPECT_EQ(values_of<double>(*exact), (std::vector<double>{0.1, 0.2}));
}

TEST_F(netcdf_attributes, both_attributes_and_lists_say_what_is_missing) {
    // 1e34 is another number as float32.
    auto const real = opened(
        NC_FLOAT, {1, 1e34, -9, 4}, {{"missing_value", NC_DOUBLE, {1e34}}, {"_FillValue", NC_FLOAT, {-9}}});
    EXPECT_EQ(values_of<float>(*real), (std::vector<float>{1, -0.25F, -0.25F, 4}));
    auto const list = opened(NC_SHORT, {1, 2, 3, 4}, {{"missing_value", NC_SHORT, {2, 3}}});
    EXPECT_EQ(values_of<float>(*list), (std::vector<float>{1, -0.25F, -0.25F, 4}));
    auto const one = opened(NC_SHORT, {1, 2}, {{"missing_value", NC_SHORT, {2}}});
    EXPECT_EQ(one->shape().missing, 2.0);
    EXPECT_EQ(values_of<std::int16_t>(*one), (std::vector<std::int16_t>{1, 2}));
    for (char const* const text : {"-9", " -9.0f", "none, -9"}) {
        auto const as_text = opened(NC_FLOAT, {1, -9}, {{"missing_value", NC_CHAR, {}, text}});
        EXPECT_EQ(values_of<float>(*as_text), (std::vector<float>{1, -0.25F})) << text;
    }
    EXPECT_EQ(values_of<float>(*opened(NC_FLOAT, {1, -9}, {{"missing_value", NC_CHAR, {}, "none"}})),
        (std::vector<float>{1, -9}));
    EXPECT_THROW((void)opened(NC_FLOAT, {1, -9}, {{"missing_value", NC_CHAR, {}, "minus nine"}}), io_error);
    auto const unwritten = opened(NC_FLOAT, {1, NC_FILL_FLOAT}, {});
    EXPECT_EQ(values_of<float>(*unwritten), (std::vector<float>{1, -0.25F}));
}

TEST_F(netcdf_attributes, values_beyond_the_valid_range_are_missing) {
    auto const both = opened(NC_SHORT, {1, 2, 3, 4}, {{"valid_range", NC_SHORT, {2, 3}}});
    EXPECT_EQ(values_of<float>(*both), (std::vector<float>{-0.25F, 2, 3, -0.25F}));
    auto const packed =
        opened(NC_BYTE, {1, 2, 3}, {{"scale_factor", NC_FLOAT, {10}}, {"valid_max", NC_BYTE, {2}}});
    EXPECT_EQ(values_of<float>(*packed), (std::vector<float>{10, 20, -0.25F}));
    auto const unpacked =
        opened(NC_BYTE, {1, 2, 3}, {{"scale_factor", NC_FLOAT, {10}}, {"valid_min", NC_FLOAT, {15}}});
    EXPECT_EQ(values_of<float>(*unpacked), (std::vector<float>{-0.25F, 20, 30}));
}

TEST_F(netcdf_attributes, bytes_are_unsigned_where_the_file_says_so) {
    auto const grid =
        opened(NC_BYTE, {-1, 5, -2}, {{"_Unsigned", NC_CHAR, {}, "true"}, {"_FillValue", NC_BYTE, {-1}}});
    EXPECT_EQ(grid->shape().missing, 255.0);
    EXPECT_EQ(values_of<std::uint8_t>(*grid), (std::vector<std::uint8_t>{255, 5, 254}));
}

TEST_F(netcdf_attributes, that_make_no_sense_are_an_error) {
    EXPECT_THROW((void)opened(NC_SHORT, {1}, {{"scale_factor", NC_CHAR, {}, "0.1"}}), io_error);
    EXPECT_THROW((void)opened(NC_SHORT, {1}, {{"scale_factor", NC_FLOAT, {0}}}), io_error);
    EXPECT_THROW((void)opened(NC_SHORT, {1}, {{"valid_range", NC_SHORT, {3, 2}}}), io_error);
    EXPECT_THROW((void)opened(NC_SHORT, {1}, {{"valid_range", NC_SHORT, {3}}}), io_error);
}

TEST_F(netcdf_variables, a_negative_number_of_records_is_an_error) {
    std::string const content = std::string("CDF\5\x80", 5) + std::string(100, '\0');
    EXPECT_NE(complaint(file("negative.nc", content)).find("cannot have -9223372036854775808 records"),
        std::string::npos);
}

TEST_F(netcdf_variables, of_one_time_step) {
    auto const path = written();
    expect_test_grid<float>(*open_grid(path, {.variable = "moving", .step = 0}));
    auto const later = open_grid(path, {.variable = "moving", .step = 1});
    EXPECT_EQ(read_box<float>(*later, {3, {2, 0, 1}, {3, 1, 2}}),
        std::vector<float>{value_at<float>(2, 0, 1) + 100});
}

TEST_F(netcdf_variables, what_does_not_fit_is_an_error_that_says_what_there_is) {
    auto const path = written();
    EXPECT_NE(complaint(path).find("plane, u, v, moving"), std::string::npos) << complaint(path);
    EXPECT_NE(complaint(path, {.variable = "w"}).find("plane, u, v, moving"), std::string::npos);
    EXPECT_NE(complaint(path, {.variable = "moving"}).find("4 dimensions"), std::string::npos);
    EXPECT_NE(complaint(path, {.variable = "moving", .step = 2}).find("has 2 steps"), std::string::npos);
    EXPECT_NE(complaint(path, {.variable = "u,plane"}).find("other dimensions"), std::string::npos);
    EXPECT_NE(complaint(path, {.variable = ","}).find("no variable is named"), std::string::npos);
    EXPECT_NE(complaint(file("no.nc", "text")).find("Unknown file format"), std::string::npos)
        << complaint(file("no.nc", "text"));
}

} // namespace
