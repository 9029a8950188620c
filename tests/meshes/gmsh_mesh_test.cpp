#include <meshes/gmsh_mesh.hpp>

#include <meshes/read_mesh.hpp>

#include "gmsh_files.hpp"
#include "requests.hpp"

#include <io/shared_folder.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

using namespace weft;
using namespace weft_test;

namespace {

/// By one rank.
void write_file(std::filesystem::path const& file, std::string const& text) {
    std::ofstream(file, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

class gmsh_mesh : public with_folder {};

TEST_F(gmsh_mesh, all_versions_say_the_same) {
    for (gmsh_format const& how : all_gmsh_formats()) {
        SCOPED_TRACE(how.name());
        auto const mesh = file("mesh.MSH", gmsh_text(how));
        EXPECT_TRUE(is_mesh_file(mesh));
        mesh_piece const found = read_gmsh_mesh(mesh, heat_and_wind());
        ASSERT_EQ(found.places.size(), 12U);
        for (std::size_t node = 0; node < 12; ++node) {
            auto const& at = found.places[node];
            EXPECT_EQ(at[0] + 2 * at[1] + 4 * at[2], static_cast<double>(node));
        }
        EXPECT_EQ(found.kinds, (std::vector{cell_kind::hexahedron, cell_kind::tetrahedron, cell_kind::prism,
                                   cell_kind::pyramid}));
        std::vector<global_id> corners;
        for (gmsh_element const& each : gmsh_elements())
            if (each.type != 2) corners.insert(corners.end(), each.nodes.begin(), each.nodes.end());
        EXPECT_EQ(found.corners, corners);
        EXPECT_EQ(found.left_out, 1);
        ASSERT_EQ(found.arrays.size(), 2U);
        EXPECT_FALSE(found.arrays[0].of_cells);
        for (std::size_t node = 0; node < 11; ++node)
            EXPECT_EQ(found.arrays[0].what.values.at(node), 10.0 * static_cast<double>(node));
        EXPECT_TRUE(std::isnan(found.arrays[0].what.values.at(11)));
        EXPECT_TRUE(found.arrays[1].of_cells);
        EXPECT_EQ(found.arrays[1].what.values,
            (std::vector<double>{5, 5.5, 6, 4, 4.5, 5, 20, 20.5, 21, 7, 7.5, 8}));
    }
}

TEST_F(gmsh_mesh, is_dealt_to_all_ranks) {
    auto const mesh = file("mesh.msh", gmsh_text({}));
    EXPECT_TRUE(is_mesh_file(mesh));
    mesh_input const found = read_mesh(world(), mesh, heat_and_wind());
    EXPECT_EQ(found.of.points.total(), 12);
    EXPECT_EQ(found.of.cells.total(), 4);
    EXPECT_EQ(found.left_out, 1);
    EXPECT_EQ(found.field.name, "heat");
    EXPECT_EQ(found.field.values.size(), found.of.places.size());
}

/// A tetrahedron of ten nodes and a value of each.
std::string curved_tetrahedron() {
    std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n";
    std::string values;
    for (int node = 1; node <= 10; ++node) {
        text += std::to_string(node) + ' ' + std::to_string(node) + " 0 " + std::to_string(node % 3) + '\n';
        values += std::to_string(node) + ' ' + std::to_string(node) + '\n';
    }
    return text +
           "$EndNodes\n$Elements\n1\n7 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n"
           "$NodeData\n1\n\"heat\"\n0\n4\n0\n1\n5\n0\n" +
           values.substr(0, 20) + "$EndNodeData\n$NodeData\n1\n\"heat\"\n0\n4\n0\n1\n5\n1\n" +
           values.substr(20) + "$EndNodeData\n";
}

TEST_F(gmsh_mesh, cells_of_second_order_are_used_by_their_corners) {
    mesh_input const found = read_mesh(world(), file("curved.msh", curved_tetrahedron()), {.field = "heat"});
    EXPECT_EQ(found.straightened, 1);
    EXPECT_EQ(found.of.cells.total(), 1);
    EXPECT_EQ(found.of.points.total(), 10);
    EXPECT_EQ(all_gatherv(world(), found.of.corners), (std::vector<global_id>{0, 1, 2, 3}));
}

TEST_F(gmsh_mesh, parts_of_values_are_joined_and_other_steps_are_not) {
    if (rank() != 0) return;
    std::string const text = curved_tetrahedron();
    write_file(path("parts.msh"), text);
    auto const values = [&] {
        return read_gmsh_mesh(path("parts.msh"), {.field = "heat"}).arrays.at(0).what.values;
    };
    EXPECT_EQ(values(), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    write_file(path("parts.msh"), std::string(text).replace(text.rfind("\n0\n1\n5"), 3, "\n1\n"));
    EXPECT_TRUE(std::isnan(values().at(9)));
    write_file(
        path("parts.msh"), std::string(text).replace(text.find("1\n\"heat\""), 8, "2\n\"heat\"\n\"P2\""));
    EXPECT_THROW((void)values(), io_error);
}

TEST_F(gmsh_mesh, a_file_that_was_cut_off_is_an_error) {
    if (rank() != 0) return;
    for (gmsh_format const& how : all_gmsh_formats()) {
        SCOPED_TRACE(how.name());
        std::string const whole = gmsh_text(how);
        write_file(path("cut.msh"), whole);
        for (std::size_t length = whole.size() - 1; length-- > 0;) {
            auto const mesh = path("cut.msh");
            std::filesystem::resize_file(mesh, length);
            EXPECT_ANY_THROW((void)read_gmsh_mesh(mesh, heat_and_wind())) << length << " bytes";
        }
    }
}

TEST_F(gmsh_mesh, mistakes_are_named_with_their_line) {
    if (rank() != 0) return;
    auto const mesh = path("wrong.msh");
    auto const complaint = [&](std::string const& text) -> std::string {
        write_file(mesh, text);
        try {
            (void)read_gmsh_mesh(mesh, heat_and_wind());
        } catch (std::exception const& caught) { return caught.what(); }
        return "none";
    };
    auto const replaced = [](std::string text, std::string const& from, std::string const& to) {
        std::size_t const at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    gmsh_format const old{.old = true};
    std::string const good = gmsh_text(old);
    EXPECT_EQ(complaint(good), "none");
    for (gmsh_format const& how : all_gmsh_formats())
        EXPECT_NE(
            complaint(gmsh_text(how, 3)).find("has the node 1000, which does not exist"), std::string::npos);
    EXPECT_NE(
        complaint(replaced(good, "\n93 ", "\n100 ")).find("the node 100 occurs twice"), std::string::npos);
    EXPECT_NE(complaint(replaced(good, "2.2 0 8", "3 0 8")).find(":5: the mesh is of a version"),
        std::string::npos);
    EXPECT_NE(complaint(replaced(good, "\n5 5 2 ", "\n5 99 2 ")).find("type 99"), std::string::npos);
    EXPECT_NE(complaint(replaced(good, "$EndElements", "$EndElement")).find("expected $EndElements"),
        std::string::npos);
    EXPECT_NE(complaint(replaced(good, "\n12\n", "\n999999999999\n")).find("999999999999 nodes"),
        std::string::npos);
    EXPECT_NE(
        complaint(replaced(good, "\"heat\"", "\"cold\"")).find("there are cold, wind"), std::string::npos);
    EXPECT_NE(complaint(replaced(good, "\n1\n\"heat\"", "\n1000000000\n\"heat\""))
                  .find("0 to 100, found 1000000000"),
        std::string::npos);
    EXPECT_NE(complaint(replaced(good, "\n1\n\"heat\"", "\n1\n\"wind\"")).find("'heat'"), std::string::npos);
}

} // namespace
