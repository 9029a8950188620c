#include <grids/grid_files.hpp>
#include <grids/netcdf_grid.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>

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
    EXPECT_EQ(u->shape().missing, -99.0);
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
