#include <grids/grid_content.hpp>

#include <harness/mpi_test.hpp>

using weft::ending_of_grid;

TEST(grid_content, is_known_by_its_first_bytes) {
    EXPECT_EQ(ending_of_grid("NRRD0004\ntype: int\n"), ".nrrd");
    EXPECT_EQ(ending_of_grid(std::string("MM\0*\0\0\0\0", 8)), ".tif");
    EXPECT_EQ(ending_of_grid("# vtk DataFile Version 3.0\n"), ".vtk");
    EXPECT_EQ(
        ending_of_grid("<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"0.1\">"), ".vti");
    EXPECT_EQ(ending_of_grid("<VTKFile type=\"StructuredGrid\" version=\"0.1\">"), ".vts");
    EXPECT_EQ(ending_of_grid(std::string(344, '\0') + std::string("n+1\0", 4)), ".nii");
    EXPECT_EQ(ending_of_grid("\x89HDF\r\n\x1a\n"), ".nc4");
}

TEST(grid_content, may_be_raw_values) {
    EXPECT_EQ(ending_of_grid(""), ".raw");
    EXPECT_EQ(ending_of_grid("<VTKFile type=\"PolyData\">"), ".raw");
    EXPECT_EQ(ending_of_grid(std::string(344, '\0') + std::string("ni1\0", 4)), ".raw");
    EXPECT_EQ(ending_of_grid("CDF\3"), ".raw");
}
