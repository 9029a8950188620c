#include <grids/grid_files.hpp>
#include <grids/vtk/vtk_grid.hpp>

#include <weft/core/error.hpp>

#include <cmath>
#include <sstream>

using namespace weft;
using namespace weft_test;

namespace {

class vtk_file : public with_folder {
protected:
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

TEST_F(vtk_file, with_metadata_of_its_arrays) {
    // As VTK writes it where a range was asked for or a component has a name; other components have none.
    std::string const information =
        "METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 9 \n\n";
    std::string const names = "METADATA\nCOMPONENT_NAMES\ndx\n\n\nINFORMATION 0\n\n";
    std::string values, vectors;
    for (float const value : values_in<float>({3, {}, {3, 2, 2}})) {
        values += std::to_string(static_cast<int>(value)) + ' ';
        vectors += "1 2 3\n";
    }
    auto const grid = file(
        "grid.vtk", "# vtk DataFile Version 5.1\na grid\nASCII\nDATASET RECTILINEAR_GRID\nDIMENSIONS 3 2 2\n"
                    "X_COORDINATES 3 float\n0 1 4\n" +
                        information +
                        "Y_COORDINATES 2 float\n0 1\nZ_COORDINATES 2 float\n-1 1\n"
                        "FIELD FieldData 1\nnames 1 2 string\none\ntwo three\n" +
                        "POINT_DATA 12\nVECTORS wind float\n" + vectors + names +
                        "SCALARS heat vtkIdType\nLOOKUP_TABLE "
                        "default\n" +
                        values + "\n" + information + "FIELD more 2\nwind2 3 12 float\n" + vectors + names +
                        "last 1 12 bit\n0 1 0 1 0 1 0 1 0 1 0 1\n");
    expect_test_grid<std::int32_t>(*open_grid(grid, {.variable = "heat"}));
    auto const bits = open_grid(grid, {.variable = "last"});
    EXPECT_EQ(read_box<std::uint8_t>(*bits, {3, {}, {3, 1, 1}}), (std::vector<std::uint8_t>{0, 1, 0}));
}

TEST_F(vtk_file, of_an_extent_and_of_bits_in_binary) {
    std::string text = "# vtk DataFile Version 5.1\na grid\nBINARY\nDATASET STRUCTURED_POINTS\n"
                       "EXTENT 2 4 -1 0 7 8\nSPACING 0.5 1 1\nORIGIN 10 0 0\nPOINT_DATA 12\n"
                       "FIELD more 3\nname 1 2 string\n";
    text += std::string("\xc3"
                        "one\xc2"
                        "ab",
                7) +
            '\n';
    text +=
        "METADATA\nINFORMATION 0\n\nbits 1 12 bit\n" + std::string("\xa0\x10", 2) + "\nids 1 12 vtkIdType\n";
    for (int i = 0; i < 12; ++i) text += std::string("\0\0\0", 3) + static_cast<char>(i);
    auto const grid = file("grid.vtk", text + "\n");
    auto const bits = open_grid(grid, {.variable = "bits"});
    EXPECT_EQ(bits->shape().axes[0], (std::vector<double>{11, 11.5, 12}));
    EXPECT_EQ(bits->shape().axes[1], (std::vector<double>{-1, 0}));
    EXPECT_EQ(read_box<std::uint8_t>(*bits, {3, {}, {3, 2, 2}}),
        (std::vector<std::uint8_t>{1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
    auto const ids = open_grid(grid, {.variable = "ids"});
    EXPECT_EQ(read_box<std::int32_t>(*ids, {3, {1, 1, 1}, {3, 2, 2}}), (std::vector<std::int32_t>{10, 11}));
}

TEST_F(vtk_file, of_a_structured_grid_on_straight_axes) {
    auto const source = open_grid(legacy(structured(0)), {});
    expect_test_grid<std::int16_t>(*source);
    EXPECT_EQ(source->shape().axes[0], (std::vector<double>{0, 1, 4}));
    auto const bent = open_grid(legacy(structured(0.25)), {});
    EXPECT_NE(bent->shape().bent.find("(1, 1, 1) is not on straight axes"), std::string::npos);
    EXPECT_EQ(bent->shape().axes[0], (std::vector<double>{0, 1, 2}));
    expect_test_grid<std::int16_t>(*bent);
}

TEST_F(vtk_file, in_xml) {
    if (complaint("none.vti").find("built without VTK") != std::string::npos)
        GTEST_SKIP() << "Weft was built without VTK";
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

TEST_F(vtk_file, in_xml_with_values_at_cells) {
    if (complaint("none.vti").find("built without VTK") != std::string::npos)
        GTEST_SKIP() << "Weft was built without VTK";
    auto const image = [&](std::string const& pieces) {
        return file("cells.vti",
            "<?xml version=\"1.0\"?><VTKFile type=\"ImageData\" version=\"0.1\" "
            "byte_order=\"LittleEndian\"><ImageData WholeExtent=\"0 3 0 2 0 0\" Origin=\"0 0 0\" "
            "Spacing=\"2 1 1\">" +
                pieces + "</ImageData></VTKFile>");
    };
    auto const piece = [](std::string const& extent, std::string const& values) {
        return "<Piece Extent=\"" + extent +
               "\"><CellData><DataArray type=\"Int32\" Name=\"heat\" format=\"ascii\">" + values +
               "</DataArray></CellData></Piece>";
    };
    for (auto const& whole : {piece("0 3 0 2 0 0", "0 1 2 7 8 9"),
             piece("0 1 0 2 0 0", "0 7") + piece("1 3 0 2 0 0", "1 2 8 9")}) {
        auto const source = open_grid(image(whole), {.variable = "heat"});
        expect_test_grid<std::int32_t>(*source);
        EXPECT_EQ(source->shape().axes[0], (std::vector<double>{1, 3, 5}));
        expect_test_grid<std::int32_t>(*open_grid(image(whole), {}));
    }
    std::string const apart =
        complaint(image(piece("0 1 0 2 0 0", "0 7") + piece("2 3 0 2 0 0", "2 9"))); // no cell from 1 to 2
    EXPECT_NE(apart.find("do not have all cells"), std::string::npos) << apart;
    std::string const other = complaint(image(piece("0 3 0 2 0 0", "0 1 2 7 8 9")), {.variable = "cold"});
    EXPECT_NE(other.find("there are heat"), std::string::npos) << other;
}

TEST_F(vtk_file, what_is_wrong_is_an_error_in_one_line) {
    std::string const points = "DATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 2\nORIGIN 0 0 0\nSPACING 1 1 1\n";
    EXPECT_NE(complaint(legacy(points), {.variable = "cold"}).find("no values called 'cold'; there are heat"),
        std::string::npos);
    for (auto const& broken : {file("text.vtk", "no grid\n"),
             file("short.vtk", "# vtk DataFile Version 3.0\na grid\nASCII\n" + points + "POINT_DATA 12\n")}) {
        std::string const text = complaint(broken);
        EXPECT_TRUE(text.starts_with(broken.string() + ":")) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

TEST_F(vtk_file, binary_values_are_read_where_they_lie) {
    std::string const points = "DATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 2\nORIGIN 0 0 0\nSPACING 1 1 1\n";
    std::string bytes;
    for (std::int16_t const value : values_in<std::int16_t>({3, {}, {3, 2, 2}})) {
        bytes += static_cast<char>(value >> 8);
        bytes += static_cast<char>(value & 255);
    }
    std::string const head = "# vtk DataFile Version 3.0\na grid\nBINARY\n" + points;
    expect_test_grid<std::int16_t>(*open_grid(
        file("grid.VTK", head + "POINT_DATA 12\nSCALARS heat short\nLOOKUP_TABLE default\n" + bytes), {}));
    std::string const negative = complaint(file("minus.vtk", head + "POINT_DATA -12\nSCALARS heat short\n"));
    EXPECT_NE(negative.find("minus.vtk:8: expected a number of values, found -12"), std::string::npos)
        << negative;
    std::string const cut = complaint(file(
        "cut.vtk", head + "POINT_DATA 12\nSCALARS heat short\nLOOKUP_TABLE default\n" + bytes.substr(0, 23)));
    EXPECT_NE(cut.find("expected 24 bytes of values, found 23"), std::string::npos) << cut;
}

TEST_F(vtk_file, of_values_at_cells) {
    auto const source = open_grid(
        file("cells.vtk",
            "# vtk DataFile Version 3.0\na grid\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 4 3 1\n"
            "SPACING 2 1 1\nORIGIN 0 0 0\nCELL_DATA 6\nFIELD of 1\nheat 1 6 int\n0 1 2 7 8 9\n"),
        {});
    expect_test_grid<std::int32_t>(*source);
    EXPECT_EQ(source->shape().axes[0], (std::vector<double>{1, 3, 5}));
}

TEST_F(vtk_file, hidden_points_and_cells_are_heeded_and_their_marks_are_no_field) {
    auto const with = [&](std::string const& arrays) {
        return open_grid(
            file("ghosts.vtk", "# vtk DataFile Version 3.0\na grid\nASCII\nDATASET STRUCTURED_POINTS\n"
                               "DIMENSIONS 4 2 2\nSPACING 1 1 1\nORIGIN 0 0 0\n" +
                                   arrays),
            {});
    };
    auto const marks = [](std::string const& section, std::string const& count, std::string const& values) {
        return section + " " + count + "\nFIELD of 1\nvtkGhostType 1 " + count + " unsigned_char\n" + values +
               "\n";
    };
    std::string const field = "SCALARS heat float\n0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n";
    for (int const bits : {1, 8, 16, 32}) { // the first of three cells: points 0, 4, 8 and 12 have no other
        auto const grid =
            with(marks("CELL_DATA", "3", std::to_string(bits) + " 0 4") + "POINT_DATA 16\n" + field);
        ASSERT_TRUE(grid->shape().hides_cells);
        std::vector<std::uint8_t> hidden(3);
        grid->read_hidden({3, {}, {3, 1, 1}}, hidden);
        EXPECT_EQ(hidden, (std::vector<std::uint8_t>{1, 0, 0}));
        auto const row = read_box<float>(*grid, {3, {}, {4, 1, 1}});
        EXPECT_TRUE(std::isnan(row[0]));
        EXPECT_EQ(row[1], 1);
    }
    auto const of_points = with(marks("POINT_DATA", "16", "2 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0") + field);
    auto const row = read_box<float>(*of_points, {3, {}, {4, 1, 1}});
    EXPECT_TRUE(std::isnan(row[0]));
    EXPECT_EQ(row[1], 1); // another piece has it too
    EXPECT_FALSE(of_points->shape().hides_cells);
    auto const at_cells = with(marks("POINT_DATA", "16", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2") +
                               "CELL_DATA 3\nSCALARS heat float\n7 8 9\n");
    auto const values = read_box<float>(*at_cells, {3, {}, {3, 1, 1}});
    EXPECT_EQ(values[1], 8);
    EXPECT_TRUE(std::isnan(values[2]));
    EXPECT_EQ(at_cells->shape().values_at, value_place::cells);
    EXPECT_EQ(at_cells->shape().cell_ends[0], (std::vector<double>{0, 1, 2, 3}));
}

TEST_F(vtk_file, a_duplicate_point_is_counted_once) {
    auto const path = file("twice.vtk",
        "# vtk DataFile Version 3.0\na grid\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 2 1 1\n"
        "SPACING 1 1 1\nORIGIN 0 0 0\nPOINT_DATA 2\nSCALARS heat float\n3 4\nFIELD of 1\n"
        "vtkGhostType 1 2 unsigned_char\n0 1\n");
    EXPECT_EQ(read_box<float>(*open_grid(path, {}), {3, {1, 0, 0}, {2, 1, 1}}), std::vector<float>{4});
    EXPECT_TRUE(
        std::isnan(read_box<float>(*open_grid(path, {.each_once = true}), {3, {1, 0, 0}, {2, 1, 1}})[0]));
}

TEST_F(vtk_file, an_extent_that_cannot_be_is_refused_with_its_number) {
    auto const with_extent = [&](std::string const& extent) {
        return complaint(file("odd.vti", "<?xml version=\"1.0\"?><VTKFile type=\"ImageData\"><ImageData "
                                         "WholeExtent=\"" +
                                             extent + "\"></ImageData></VTKFile>"));
    };
    if (with_extent("0 0 0 0 0 0").find("built without VTK") != std::string::npos)
        GTEST_SKIP() << "Weft was built without VTK";
    EXPECT_NE(with_extent("5 0 0 1 0 1").find("found -4"), std::string::npos) << with_extent("5 0 0 1 0 1");
    EXPECT_NE(with_extent("0 2147483647 0 0 0 0").find("found 2147483648"), std::string::npos);
    EXPECT_NE(with_extent("0 2000000 0 2000000 0 2000000").find("bytes of memory"), std::string::npos);
    EXPECT_NE(complaint(file("empty.vti", "")).find("does not end with"), std::string::npos);
}

} // namespace
