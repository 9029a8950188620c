#include <meshes/read_mesh.hpp>

#include <io/shared_folder.hpp>

#include <weft/contouring/contour.hpp>
#include <weft/core/error.hpp>

#include <numeric>
#include <string>

using namespace weft;
using namespace weft_test;

namespace {

/// A legacy file in text: a tetrahedron, a pyramid, a wedge, a voxel, a hexahedron and a triangle on 2 x 2 x
/// 3 points, with fields of points and of cells.
std::string mixed_mesh(
    std::string const& cells = "6 40\n4 0 1 2 4\n5 0 1 3 2 4\n6 0 1 2 4 5 6\n8 0 1 2 3 4 5 6 7\n"
                               "8 4 5 7 6 8 9 11 10\n3 0 1 2\n",
    std::string const& types = "10 14 13 11 12 5") {
    std::string text =
        "# vtk DataFile Version 3.0\nmixed\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 double\n";
    for (int i = 0; i < 12; ++i)
        text +=
            std::to_string(i & 1) + ' ' + std::to_string(i >> 1 & 1) + ' ' + std::to_string(i >> 2) + '\n';
    text += "CELLS " + cells + "CELL_TYPES 6\n" + types +
            "\nPOINT_DATA 12\nSCALARS heat double\nLOOKUP_TABLE default\n";
    for (int i = 0; i < 12; ++i) text += std::to_string(10 * i) + ' ';
    text += "\nVECTORS wind double\n";
    for (int i = 0; i < 12; ++i) text += std::to_string(i) + " 1 2\n";
    return text + "CELL_DATA 6\nSCALARS part double\nLOOKUP_TABLE default\n1 2 3 4 5 6\n";
}

/// A piece with one cube at x, as XML in text; `ids` of its points where they are known.
std::string cube_piece(int x, std::string const& ids = {}) {
    std::string const number = std::to_string(x);
    std::string const next = std::to_string(x + 1);
    std::string places;
    std::string heat;
    for (int i = 0; i < 8; ++i) {
        places += ((i & 1) != 0 ? next : number) + ' ' + std::to_string(i >> 1 & 1) + ' ' +
                  std::to_string(i >> 2) + ' ';
        heat += std::to_string(i >> 2) + ' ';
    }
    return "<?xml version=\"1.0\"?><VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
           "byte_order=\"LittleEndian\">"
           "<UnstructuredGrid><Piece NumberOfPoints=\"8\" NumberOfCells=\"1\"><PointData Scalars=\"heat\"" +
           std::string(ids.empty() ? "" : " GlobalIds=\"ids\"") +
           "><DataArray type=\"Float64\" Name=\"heat\" format=\"ascii\">" + heat + "</DataArray>" +
           (ids.empty() ? ""
                        : "<DataArray type=\"Int64\" Name=\"ids\" format=\"ascii\">" + ids + "</DataArray>") +
           "</PointData><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">" +
           places +
           "</DataArray></Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">"
           "0 1 2 3 4 5 6 7</DataArray><DataArray type=\"Int64\" Name=\"offsets\" "
           "format=\"ascii\">8</DataArray>"
           "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">11</DataArray></Cells></Piece>"
           "</UnstructuredGrid></VTKFile>\n";
}

class read_mesh_test : public with_folder {
protected:
    void SetUp() override {
        with_folder::SetUp();
        if (complaint(file("probe.vtk", mixed_mesh())).find("built without VTK") != std::string::npos)
            GTEST_SKIP() << "Weft was built without VTK";
    }
    static std::string complaint(
        std::filesystem::path const& of, mesh_request const& wanted = {.field = ""}) {
        try {
            (void)read_mesh(world(), of, wanted);
        } catch (error const& caught) { return caught.what(); }
        return {};
    }
    static void expect(std::string const& in, std::string const& part) {
        EXPECT_NE(in.find(part), std::string::npos) << in;
        EXPECT_EQ(in.find('\n'), std::string::npos) << in;
    }
};

TEST_F(read_mesh_test, deals_out_cells_of_every_kind_and_their_fields) {
    mesh_input const found =
        read_mesh(world(), file("mixed.vtk", mixed_mesh()), {.field = "heat", .carried = {"part", "wind"}});
    EXPECT_EQ(found.of.points.total(), 12);
    EXPECT_EQ(found.of.cells.total(), 5);
    EXPECT_EQ(found.left_out, 1);
    EXPECT_EQ(found.of.points, block_distribution::uniform(world(), 12));
    check(world(), found.of);
    auto const first = static_cast<double>(found.of.points.begin(rank()));
    for (std::size_t i = 0; i < found.field.values.size(); ++i)
        EXPECT_EQ(found.field.values[i], 10 * (first + static_cast<double>(i)));
    ASSERT_EQ(found.of.of_points.size(), 1U);
    EXPECT_EQ(found.of.of_points[0].components, 3);
    ASSERT_EQ(found.of.of_cells.size(), 1U);
    std::vector<double> parts(found.of.kinds.size());
    std::iota(parts.begin(), parts.end(), static_cast<double>(found.of.cells.begin(rank())) + 1);
    EXPECT_EQ(found.of.of_cells[0].values, parts);
    // A voxel and a hexahedron on each other: the corners of one turn, those of the other one do not.
    auto const cut = contour(world(), found.of, found.field.values, {.values = {79}});
    EXPECT_EQ(cut.of_values[0].triangles, 2);
    EXPECT_EQ(cut.of_values[0].components, 1);
}

TEST_F(read_mesh_test, joins_pieces_where_they_meet) {
    std::string const index =
        "<?xml version=\"1.0\"?><VTKFile type=\"PUnstructuredGrid\"><PUnstructuredGrid>"
        "<Piece Source=\"a.vtu\"/><Piece Source=\"b.vtu\"/></PUnstructuredGrid></VTKFile>\n";
    auto const both = file("both.pvtu", index);
    for (bool const with_ids : {false, true}) {
        file("a.vtu", cube_piece(0, with_ids ? "0 1 2 3 4 5 6 7" : ""));
        file("b.vtu", cube_piece(1, with_ids ? "1 8 3 9 5 10 7 11" : ""));
        mesh_input const found = read_mesh(world(), both, {.field = ""});
        EXPECT_EQ(found.field.name, "heat");
        EXPECT_EQ(found.of.points.total(), 12);
        auto const cut = contour(world(), found.of, found.field.values, {.values = {0.5}});
        EXPECT_EQ(cut.of_values[0].points, 6);
        EXPECT_EQ(cut.of_values[0].triangles, 4);
        EXPECT_EQ(cut.of_values[0].components, 1);
    }
    // Pieces of ranks that had nothing, as VTK writes them.
    auto const some =
        file("some.pvtu", "<?xml version=\"1.0\"?><VTKFile "
                          "type=\"PUnstructuredGrid\"><PUnstructuredGrid><Piece Source=\"none.vtu\"/>"
                          "<Piece Source=\"a.vtu\"/><Piece Source=\"none.vtu\"/><Piece "
                          "Source=\"b.vtu\"/><Piece Source=\"none.vtu\"/>"
                          "</PUnstructuredGrid></VTKFile>\n");
    file("none.vtu", "<?xml version=\"1.0\"?><VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece "
                     "NumberOfPoints=\"0\" "
                     "NumberOfCells=\"0\"><PointData></PointData><CellData></CellData></Piece></"
                     "UnstructuredGrid></VTKFile>\n");
    mesh_input const found = read_mesh(world(), some, {.field = ""});
    EXPECT_EQ(found.of.points.total(), 12);
    EXPECT_EQ(contour(world(), found.of, found.field.values, {.values = {0.5}}).of_values[0].triangles, 4);
    expect(
        complaint(file("no.pvtu", "<VTKFile type=\"PUnstructuredGrid\"></VTKFile>")), "at least one piece");
    file("b.vtu", "not at all");
    expect(complaint(both), "b.vtu");
}

TEST_F(read_mesh_test, passes_over_pieces_of_nothing_in_a_file) {
    for (std::string const nothing : {"<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"/>",
             "<Piece NumberOfCells=\"0\" NumberOfPoints=\" 0 \">\n<PointData></PointData></Piece>\n"}) {
        std::string text = cube_piece(0, "");
        text.insert(text.find("<Piece"), nothing + nothing);
        text.insert(text.rfind("</UnstructuredGrid>"), nothing);
        auto const path = file("first.vtu", text);
        mesh_input const found = read_mesh(world(), path, {.field = ""});
        EXPECT_EQ(found.of.points.total(), 8);
        EXPECT_EQ(found.of.cells.total(), 1);
    }
}

TEST_F(read_mesh_test, says_what_is_wrong_with_cells) {
    std::string const six =
        "6 40\n4 0 1 2 4\n5 0 1 3 2 4\n6 0 1 2 4 5 6\n8 0 1 2 3 4 5 6 7\n8 4 5 7 6 8 9 11 ";
    expect(complaint(file("far.vtk", mixed_mesh(six + "12\n3 0 1 2\n"))), "cell 4 has the corner 12");
    expect(complaint(file("below.vtk", mixed_mesh(six + "-1\n3 0 1 2\n"))), "cell 4 has the corner -1");
    expect(complaint(file("bent.vtk", mixed_mesh(six + "10\n3 0 1 2\n", "24 14 13 11 12 5"))),
        "cell 0 has 4 corners; expected 10");
    expect(complaint(file("odd.vtk", mixed_mesh(six + "10\n3 0 1 2\n", "10 14 13 99 12 5"))),
        "cell 3 is of VTK's type 99");
    expect(complaint(file("short.vtk", mixed_mesh("6 36" + six.substr(4) + "10\n3 0 1 2\n"))),
        "6 cells in 36 numbers");
    expect(complaint(file("long.vtk", mixed_mesh("6 41" + six.substr(4) + "10\n3 0 1 2 7\n"))),
        "1 numbers too many");
    expect(complaint(file("large.vtk", mixed_mesh("6 400000000000000" + six.substr(4)))), "large.vtk");
    expect(complaint(file("few.vtk", mixed_mesh(six + "10\n3 0 1 2\n", "10 12 13 11 12 5"))),
        "cell 1 has 5 corners");
}

TEST_F(read_mesh_test, says_what_is_wrong_with_files_and_fields) {
    std::string const whole = mixed_mesh();
    EXPECT_FALSE(complaint(file("cut.vtk", whole.substr(0, 300))).empty());
    std::string const piece = cube_piece(0);
    expect(complaint(file("cut.vtu", piece.substr(0, piece.size() / 2))), "does not end with");
    std::string large = piece;
    large.replace(large.find("NumberOfPoints=\"8\""), 18, "NumberOfPoints=\"8000000000000000\"");
    expect(complaint(file("large.vtu", large)), "NumberOfPoints");
    auto const good = file("good.vtk", whole);
    expect(complaint(good, {.field = "cold"}), "no values called 'cold'; there are heat, wind, part");
    expect(complaint(good, {.field = "wind"}), "has 3 values each");
    expect(complaint(good, {.field = "part"}), "values of cells");
    EXPECT_EQ(complaint(good, {.field = "part", .field_may_be_of_cells = true}), "");
    expect(complaint(good, {.carried = {"none"}}), "no values called 'none'");
}

TEST_F(read_mesh_test, an_empty_mesh_is_one) {
    auto const none = file("none.vtk", "# vtk DataFile Version 3.0\nnone\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                                       "POINTS 0 double\nCELLS 0 0\nCELL_TYPES 0\n");
    mesh_input const found = read_mesh(world(), none, {.field = ""});
    EXPECT_EQ(found.of.points.total(), 0);
    EXPECT_EQ(contour(world(), found.of, found.field.values, {.values = {1}}).of_values[0], contour_counts{});
}

} // namespace
