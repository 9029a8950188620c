#include <grids/formats/netcdf_file.hpp>
#include <grids/grid_files.hpp>

#include <weft/core/error.hpp>

#include <netcdf.h>

using namespace weft;
using namespace weft_test;

namespace {

using netcdf_file_text = with_folder;

TEST_F(netcdf_file_text, says_what_it_has) {
    auto const path = file("some.nc", "");
    if (rank() == 0) {
        int id = -1, dims[2] = {}, v = -1, bounds = -1;
        ASSERT_EQ(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &id), NC_NOERR);
        nc_def_dim(id, "a", 2, &dims[0]);
        nc_def_dim(id, "b", 3, &dims[1]);
        nc_def_var(id, "v", NC_BYTE, 2, dims, &v);
        nc_def_var(id, "edges", NC_INT, 2, dims, &bounds);
        char const* text = "edges other";
        nc_put_att_string(id, v, "bounds", 1, &text);
        nc_put_att_text(id, v, "_Unsigned", 4, "true");
        ASSERT_EQ(nc_close(id), NC_NOERR);
    }
    meet();
    netcdf_file const opened(path);
    EXPECT_EQ(opened.variables(), 2);
    int const v = opened.variable_named("v");
    EXPECT_EQ(opened.name_of(v), "v");
    EXPECT_EQ(opened.variable_named("none"), -1);
    EXPECT_EQ(opened.shape_of(v).lengths, (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(opened.dimension_name(opened.shape_of(v).ids[1]), "b");
    EXPECT_EQ(opened.type_of(v), value_type::uint8);
    EXPECT_EQ(opened.text_of(v, "bounds"), "edges other"); // one string rather than characters
    EXPECT_EQ(opened.words_of(v, "bounds"), (std::vector<std::string>{"edges", "other"}));
    EXPECT_EQ(opened.text_of(v, "none"), "");
    EXPECT_EQ(names_of_grids(opened), "v");
    EXPECT_THROW(opened.check(NC_EBADID, "do it"), io_error);
    EXPECT_THROW(netcdf_file{path.parent_path() / "none.nc"}, io_error);
}

} // namespace
