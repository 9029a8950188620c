#include <meshes/xdmf_mesh.hpp>

#include <grids/hdf5_files.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <fstream>
#include <string>
#include <vector>

using namespace weft;
using namespace weft_test;

namespace {

class xdmf_of_hdf5 : public with_folder {
protected:
    void write_numbers() const {
        hdf5_writer out(path("a.h5"));
        std::vector<double> const places{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        std::vector<std::int32_t> const cells{0, 1, 2, 3};
        out.add("places", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {4, 3}, places.data());
        out.add("cells", H5T_STD_I32BE, H5T_NATIVE_INT32, {1, 4}, cells.data());
    }
    /// A tetrahedron whose cells are `count` numbers of `dataset`.
    [[nodiscard]] std::filesystem::path tetrahedron(std::string const& dataset, int count = 4) const {
        std::ofstream(path("a.xdmf"))
            << "<Xdmf><Domain><Grid>"
               "<Topology TopologyType=\"Tetrahedron\"><DataItem Dimensions=\"1 "
            << count << "\" Format=\"HDF\">\n"
            << dataset
            << "\n</DataItem></Topology>"
               "<Geometry><DataItem Dimensions=\"4 3\" Format=\"HDF\">a.h5:/places</DataItem></Geometry>"
               "</Grid></Domain></Xdmf>";
        return path("a.xdmf");
    }
    [[nodiscard]] static std::string complaint(std::filesystem::path const& file) {
        try {
            (void)read_xdmf_mesh(file, {});
        } catch (io_error const& caught) { return caught.what(); }
        return "none";
    }
};

TEST_F(xdmf_of_hdf5, numbers_are_those_of_its_datasets) {
    if (rank() != 0) return;
    write_numbers();
    mesh_piece const found = read_xdmf_mesh(tetrahedron("a.h5:/cells"), {});
    EXPECT_EQ(found.places.at(3), (std::array<double, 3>{0, 0, 1}));
    EXPECT_EQ(found.corners, (std::vector<global_id>{0, 1, 2, 3}));
    // The slash before the dataset may be left out.
    EXPECT_EQ(read_xdmf_mesh(tetrahedron("  a.h5:cells "), {}).corners, found.corners);
}

TEST_F(xdmf_of_hdf5, datasets_that_are_missing_or_short_are_an_error) {
    if (rank() != 0) return;
    write_numbers();
    EXPECT_NE(complaint(tetrahedron("a.h5:/none")).find("there are /cells (1 x 4 int32), /places (4 x 3"),
        std::string::npos)
        << complaint(tetrahedron("a.h5:/none"));
    EXPECT_NE(
        complaint(tetrahedron("a.h5:/cells", 5)).find("expected 5 numbers, found 1 x 4"), std::string::npos);
    std::ofstream(path("text.h5")) << "no such file";
    EXPECT_NE(complaint(tetrahedron("text.h5:/cells")), "none");
    EXPECT_NE(complaint(tetrahedron("nowhere.h5:/cells")), "none");
}

TEST_F(xdmf_of_hdf5, one_that_was_cut_off_anywhere_is_an_error_or_whole) {
    if (rank() != 0) return;
    write_numbers();
    auto const mesh = tetrahedron("a.h5:/cells");
    auto const numbers = path("a.h5");
    for (std::uintmax_t length = std::filesystem::file_size(numbers); length-- > 0;) {
        std::filesystem::resize_file(numbers, length);
        try {
            EXPECT_EQ(read_xdmf_mesh(mesh, {}).corners, (std::vector<global_id>{0, 1, 2, 3})) << length;
        } catch (io_error const&) { continue; }
    }
}

} // namespace
