#include <grids/grid_files.hpp>
#include <grids/vtk_grid.hpp>

#include <weft/core/error.hpp>

#include <sstream>

using namespace weft;
using namespace weft_test;

namespace {

class vtk_file : public with_folder {
protected:
    void SetUp() override {
        with_folder::SetUp();
        if (complaint("none.vtk").find("built without VTK") != std::string::npos)
            GTEST_SKIP() << "Weft was built without VTK";
    }

    /// A legacy file of 3 x 2 x 2 points with the values of the test grid.
    std::filesystem::path legacy(std::string const& geometry, int components = 1) {
        std::ostringstream text;
        text << "# vtk DataFile Version 3.0\na grid\nASCII\n" << geometry << "POINT_DATA 12\n";
        text << (components == 3 ? "VECTORS wind float\n" : "SCALARS heat short 1\nLOOKUP_TABLE default\n");
        for (float const value : values_in<float>({3, {}, {3, 2, 2}}, components)) text << value << ' ';
        text << '\n';
        return file("grid.vtk", text.str());
    }

    static std::string structured(double shift) {
        std::ostringstream text;
        text << "DATASET STRUCTURED_GRID\nDIMENSIONS 3 2 2\nPOINTS 12 double\n";
        for (int z = 0; z < 2; ++z)
            for (int y = 0; y < 2; ++y)
                for (int x = 0; x < 3; ++x)
                    text << (x * x + (x == 1 && y == 1 && z == 1 ? shift : 0)) << ' ' << y << ' ' << 5 * z
                         << '\n';
        return text.str();
    }
};

TEST_F(vtk_file, of_image_data) {
    auto const source = open_grid(
        legacy("DATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 2\nORIGIN 10 0 1\nSPACING 0.5 1 2\n"), {});
    expect_test_grid<std::int16_t>(*source);
    EXPECT_EQ(source->shape().axes[0], (std::vector<double>{10, 10.5, 11}));
    EXPECT_EQ(source->shape().axes[2], (std::vector<double>{1, 3}));
}

TEST_F(vtk_file, of_a_rectilinear_grid_with_vectors) {
    auto const source = open_grid(legacy("DATASET RECTILINEAR_GRID\nDIMENSIONS 3 2 2\nX_COORDINATES 3 float\n"
                                         "0 1 4\nY_COORDINATES 2 float\n0 1\nZ_COORDINATES 2 float\n-1 1\n",
                                      3),
        {.variable = "wind"});
    expect_test_grid<float>(*source, 3);
    EXPECT_EQ(source->shape().axes[0], (std::vector<double>{0, 1, 4}));
}

TEST_F(vtk_file, of_a_structured_grid_on_straight_axes) {
    auto const source = open_grid(legacy(structured(0)), {});
    expect_test_grid<std::int16_t>(*source);
    EXPECT_EQ(source->shape().axes[0], (std::vector<double>{0, 1, 4}));
    std::string const bent = complaint(legacy(structured(0.25)));
    EXPECT_NE(bent.find("(1, 1, 1) is not on straight axes"), std::string::npos) << bent;
}

TEST_F(vtk_file, in_xml) {
    auto const source =
        open_grid(file("grid.vti",
                      "<?xml version=\"1.0\"?><VTKFile type=\"ImageData\" version=\"0.1\" "
                      "byte_order=\"LittleEndian\"><ImageData WholeExtent=\"0 1 0 0 0 1\" Origin=\"0 0 0\" "
                      "Spacing=\"1 1 1\"><Piece Extent=\"0 1 0 0 0 1\"><PointData Scalars=\"a\"><DataArray "
                      "type=\"Float64\" Name=\"a\" format=\"ascii\">0 1 31 32</DataArray></PointData>"
                      "</Piece></ImageData></VTKFile>"),
            {});
    EXPECT_EQ(source->shape().points, (std::array<std::int64_t, 3>{2, 1, 2}));
    expect_test_grid<double>(*source);
}

TEST_F(vtk_file, what_is_wrong_is_an_error_in_one_line) {
    std::string const points = "DATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 2\nORIGIN 0 0 0\nSPACING 1 1 1\n";
    EXPECT_NE(complaint(legacy(points), {.variable = "cold"}).find("no values called 'cold'; there are heat"),
        std::string::npos);
    for (auto const& broken : {file("text.vtk", "no grid\n"), file("empty.vti", ""),
             file("short.vtk", "# vtk DataFile Version 3.0\na grid\nASCII\n" + points + "POINT_DATA 12\n")}) {
        std::string const text = complaint(broken);
        EXPECT_TRUE(text.starts_with(broken.string() + ": ")) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

} // namespace
