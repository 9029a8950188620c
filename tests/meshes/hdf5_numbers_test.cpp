#include <meshes/hdf5_numbers.hpp>

#include <meshes/xdmf_mesh.hpp>

#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <hdf5.h>

#include <fstream>
#include <string>
#include <vector>

using namespace weft;
using namespace weft_test;

namespace {

/// A dataset of a file that is new, or open for more.
template <class T>
void add_dataset(hid_t file, char const* name, hid_t type, std::vector<hsize_t> const& along,
    std::vector<T> const& values) {
    hid_t const space = H5Screate_simple(static_cast<int>(along.size()), along.data(), nullptr);
    hid_t const made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(made);
    H5Sclose(space);
}

void write_mesh_numbers(std::filesystem::path const& file) {
    hid_t const made = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    add_dataset<double>(made, "places", H5T_NATIVE_DOUBLE, {4, 3}, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
    add_dataset<std::int32_t>(made, "cells", H5T_NATIVE_INT32, {1, 4}, {0, 1, 2, 3});
    H5Fclose(made);
}

class hdf5_numbers : public with_folder {};

TEST_F(hdf5_numbers, are_those_of_a_dataset) {
    if (rank() != 0) return;
    auto const numbers = path("a.h5");
    write_mesh_numbers(numbers);
    EXPECT_EQ(read_hdf5_numbers(numbers, "/cells", 4), (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(read_hdf5_numbers(numbers, "places", 12).at(3), 1);
    auto const complaint = [&](std::string const& dataset, std::int64_t count) -> std::string {
        try {
            (void)read_hdf5_numbers(numbers, dataset, count);
        } catch (io_error const& caught) { return caught.what(); }
        return "none";
    };
    EXPECT_NE(complaint("/none", 4).find("has no dataset /none"), std::string::npos);
    EXPECT_NE(complaint("/cells", 5).find("expected 5 numbers, found 4"), std::string::npos);
    std::ofstream(path("text.h5")) << "no such file";
    EXPECT_THROW((void)read_hdf5_numbers(path("text.h5"), "/cells", 4), io_error);
    EXPECT_THROW((void)read_hdf5_numbers(path("nowhere.h5"), "/cells", 4), io_error);
    // Of one cut off anywhere the numbers are right, or it is an error.
    for (std::uintmax_t length = std::filesystem::file_size(numbers); length-- > 0;) {
        std::filesystem::resize_file(numbers, length);
        try {
            EXPECT_EQ(read_hdf5_numbers(numbers, "/cells", 4), (std::vector<double>{0, 1, 2, 3})) << length;
        } catch (io_error const&) { continue; }
    }
}

TEST_F(hdf5_numbers, are_those_of_a_mesh_of_xdmf) {
    if (rank() != 0) return;
    write_mesh_numbers(path("a.h5"));
    std::ofstream(path("a.xdmf"))
        << "<Xdmf><Domain><Grid>"
           "<Topology TopologyType=\"Tetrahedron\"><DataItem Dimensions=\"1 4\" Format=\"HDF\">\n"
           "a.h5:/cells\n</DataItem></Topology>"
           "<Geometry><DataItem Dimensions=\"4 3\" Format=\"HDF\">a.h5:/places</DataItem></Geometry>"
           "</Grid></Domain></Xdmf>";
    mesh_piece const found = read_xdmf_mesh(path("a.xdmf"), {});
    EXPECT_EQ(found.places.at(3), (std::array<double, 3>{0, 0, 1}));
    EXPECT_EQ(found.corners, (std::vector<global_id>{0, 1, 2, 3}));
}

} // namespace
