#include <meshes/xdmf_mesh.hpp>

#include <meshes/read_mesh.hpp>

#include "requests.hpp"
#include "xdmf_files.hpp"

#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

using namespace weft;
using namespace weft_test;

namespace {

void write_bytes(std::filesystem::path const& file, std::string const& bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

class xdmf_mesh : public with_folder {};

TEST_F(xdmf_mesh, cells_of_several_types_with_their_values) {
    auto const mesh = file("mesh.XDMF", xdmf_text());
    EXPECT_TRUE(is_mesh_file(mesh));
    mesh_piece const found = read_xdmf_mesh(mesh, heat_and_wind());
    ASSERT_EQ(found.places.size(), 12U);
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_EQ(
            found.places[i][0] + 2 * found.places[i][1] + 4 * found.places[i][2], static_cast<double>(i));
    EXPECT_EQ(found.kinds,
        (std::vector{cell_kind::hexahedron, cell_kind::tetrahedron, cell_kind::prism, cell_kind::pyramid}));
    EXPECT_EQ(found.corners,
        (std::vector<global_id>{0, 1, 3, 2, 4, 5, 7, 6, 4, 5, 6, 8, 4, 5, 6, 8, 9, 10, 4, 5, 7, 6, 11}));
    EXPECT_EQ(found.left_out, 1);
    ASSERT_EQ(found.arrays.size(), 2U);
    EXPECT_EQ(found.arrays[0].what.values.back(), 110);
    EXPECT_TRUE(found.arrays[1].of_cells);
    EXPECT_EQ(found.arrays[1].what.values, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -12.5}));

    mesh_input const dealt = read_mesh(world(), mesh, heat_and_wind());
    EXPECT_EQ(dealt.of.points.total(), 12);
    EXPECT_EQ(dealt.of.cells.total(), 4);
    EXPECT_EQ(dealt.field.values.size(), dealt.of.places.size());
}

TEST_F(xdmf_mesh, numbers_of_a_raw_file_in_any_byte_order) {
    if (rank() != 0) return;
    auto const raw_of = [](auto value, bool big) {
        std::string bytes(sizeof(value), '\0');
        std::memcpy(bytes.data(), &value, sizeof(value));
        if (big) std::ranges::reverse(bytes);
        return bytes;
    };
    for (bool const big : {false, true}) {
        std::string places = "head";
        for (int const each : {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2})
            places += raw_of(static_cast<double>(each), big);
        std::string corners;
        for (std::int32_t const each : {3, 1, 2, 0}) corners += raw_of(each, big);
        write_bytes(path("places.bin"), places);
        write_bytes(path("corners.bin"), corners);
        std::string const endian = big ? "Big" : "Little";
        auto const mesh = path("raw.xmf");
        write_bytes(mesh,
            xdmf_grid_of(
                "<Topology TopologyType=\"Tetrahedron\" Dimensions=\"1\"><DataItem Dimensions=\"1 4\" "
                "NumberType=\"Int\" Precision=\"4\" Format=\"Binary\" Endian=\"" +
                endian +
                "\"> corners.bin </DataItem></Topology><Geometry Type=\"XYZ\"><DataItem Dimensions=\"4 3\" "
                "DataType=\"Float\" Precision=\"8\" Format=\"Binary\" Seek=\"4\" Endian=\"" +
                endian + "\">places.bin</DataItem></Geometry>"));
        mesh_piece const found = read_xdmf_mesh(mesh, {});
        EXPECT_EQ(found.places.at(3), (std::array<double, 3>{0, 0, 2}));
        EXPECT_EQ(found.corners, (std::vector<global_id>{3, 1, 2, 0}));
        write_bytes(path("places.bin"), places.substr(0, places.size() - 1));
        EXPECT_THROW((void)read_xdmf_mesh(mesh, {}), io_error);
    }
}

TEST_F(xdmf_mesh, a_file_that_was_cut_off_is_an_error) {
    if (rank() != 0) return;
    auto const mesh = path("cut.xdmf");
    std::string const whole = xdmf_text();
    write_bytes(mesh, whole);
    EXPECT_NO_THROW((void)read_xdmf_mesh(mesh, heat_and_wind()));
    for (std::size_t length = whole.size(); length-- > 0;) {
        std::filesystem::resize_file(mesh, length);
        EXPECT_THROW((void)read_xdmf_mesh(mesh, heat_and_wind()), io_error) << length << " bytes";
    }
}

TEST_F(xdmf_mesh, mistakes_are_named_with_their_line) {
    if (rank() != 0) return;
    std::string const good = xdmf_text();
    auto const complaint = [&](std::string const& from, std::string const& to) -> std::string {
        std::size_t const at = good.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        write_bytes(path("wrong.xdmf"), std::string(good).replace(at, from.size(), to));
        try {
            (void)read_xdmf_mesh(path("wrong.xdmf"), heat_and_wind());
        } catch (std::exception const& caught) { return caught.what(); }
        return "none";
    };
    auto const says = [&](std::string const& from, std::string const& to, std::string const& words) {
        std::string const said = complaint(from, to);
        EXPECT_NE(said.find(words), std::string::npos) << said;
    };
    says("4 5 7 6 11<", "4 5 7 6 12<", "has the corner 12, and there are 12 points");
    says("4 5 7 6 11<", "4 5 7 6 nan<", "wrong.xdmf:21: the cell 4 has the corner nan");
    says("7 4 5 7 6 11<", "99 4 5 7 6 11<", "is of the type 99");
    says("Dimensions=\"32\"", "Dimensions=\"33\"", "expected 33 numbers, found 32");
    says("Dimensions=\"32\"", "Dimensions=\"99999999999999999999\"", "expected dimensions, found");
    says("NumberOfElements=\"5\"", "NumberOfElements=\"6\"", "expected 6 cells, found 5");
    says("Dimensions=\"5 3\"", "Dimensions=\"15\"", "none");
    says("TopologyType=\"Mixed\"", "TopologyType=\"Tet_99\"", "type tet_99");
    says("GridType=\"Uniform\"", "GridType=\"Tree\"", "the grid is a tree");
    says("GridType=\"Uniform\"", "GridType=\"Collection\"", "expected one element Grid in Grid, found 0");
    says("Format=\"XML\"", "Format=\"HDF\"", "expected FILE:/DATASET, found \"0 0 0");
    says("Format=\"XML\"", "Format=\"TIFF\"", "known are XML, Binary and HDF");
    says("Name=\"heat\"", "Name=\"cold\"", "there are cold, wind");
    says("1.1e2", "hot", "expected a number, found \"hot\"");
    says("0 10 20", "0 10", "expected 12 numbers, found 11");
    says("4 5 7 6 11<", "4 5 7 6 1e+400<", "has the corner inf");
}

TEST_F(xdmf_mesh, attributes_that_change_the_meaning_are_heeded_or_refused) {
    if (rank() != 0) return;
    std::string const good = xdmf_text();
    auto const said = [&](std::string const& from, std::string const& to) -> std::string {
        std::size_t const at = good.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        write_bytes(path("other.xdmf"), std::string(good).replace(at, from.size(), to));
        try {
            mesh_piece const found = read_xdmf_mesh(path("other.xdmf"), heat_and_wind());
            return "read " + std::to_string(found.corners.at(0));
        } catch (std::exception const& caught) { return caught.what(); }
    };
    auto const is_refused = [&](std::string const& from, std::string const& to, std::string const& words) {
        std::string const text = said(from, to);
        EXPECT_NE(text.find(words), std::string::npos) << text;
    };
    EXPECT_EQ(said("NumberOfElements", "Order=\"0 1 2 3\" NumberOfElements"), "read 0");
    EXPECT_EQ(said("<Grid ", "<Information Name=\"by\" Value=\"hand\"/><Grid "), "read 0");
    EXPECT_EQ(said("<Geometry", "<Time Value=\"1\"/><Geometry"), "read 0");
    is_refused("NumberOfElements", "Order=\"1 0 2 3\" NumberOfElements", "in the order 1 0 2 3");
    is_refused("NumberOfElements", "Offset=\"1\" NumberOfElements", "the attribute Offset=\"1\"");
    is_refused("Format=\"XML\"", "Format=\"XML\" Compression=\"Zlib\"", "Compression=\"Zlib\"");
    is_refused("Format=\"XML\"", "Format=\"XML\" Endian=\"Middle\"", "Endian=\"Middle\"");
    is_refused("Center=\"Node\"", "Center=\"Node\" ItemType=\"FiniteElementFunction\"", "ItemType=");
    is_refused("<Geometry ", "<Map/><Geometry ", "the element Map in Grid");
    is_refused("GeometryType", "Reference=\"/Xdmf\" GeometryType", "refers to another element");
    // Corners counted from 1, of which the greatest is then one more than there are points.
    is_refused("NumberOfElements", "BaseOffset=\"1\" NumberOfElements",
        "has the corner 0, and there are 12 points, counted from 1");
}

TEST_F(xdmf_mesh, points_counted_from_another_number_coordinates_apart_and_second_order) {
    if (rank() != 0) return;
    std::string const cells = "<Topology TopologyType=\"Tet_10\" BaseOffset=\"5\" NumberOfElements=\"1\">" +
                              xdmf_item_of("1 10", "5 6 7 8 9 10 11 12 13 14") + "</Topology>";
    std::string along;
    for (int i = 0; i < 10; ++i) along += std::to_string(i) + ' ';
    write_bytes(path("curved.xdmf"),
        xdmf_grid_of("<Grid Name=\"one\">" + cells + "<Geometry GeometryType=\"X_Y_Z\">" +
                     xdmf_item_of("10", along) + xdmf_item_of("10", along) + xdmf_item_of("10", along) +
                     "</Geometry></Grid>"));
    std::string text;
    std::ifstream in(path("curved.xdmf"));
    std::getline(in, text, '\0');
    std::string const uniform = "GridType=\"Uniform\"";
    text.replace(text.find(uniform), uniform.size(), "GridType=\"Collection\" CollectionType=\"Temporal\"");
    write_bytes(path("curved.xdmf"), text);
    mesh_piece const found = read_xdmf_mesh(path("curved.xdmf"), {});
    EXPECT_EQ(found.corners, (std::vector<global_id>{0, 1, 2, 3}));
    EXPECT_EQ(found.places.at(3), (std::array<double, 3>{3, 3, 3}));
    EXPECT_EQ(found.straightened, 1);
}

} // namespace
