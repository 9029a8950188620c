#include <meshes/plot3d_mesh.hpp>

#include <meshes/read_mesh.hpp>

#include "plot3d_files.hpp"

#include <io/shared_folder.hpp>

#include <weft/contouring/contour.hpp>
#include <weft/core/error.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace weft;
using namespace weft_test;

namespace {

class plot3d_mesh : public with_folder {
protected:
    std::string complaint(
        std::string const& points, std::string const& fields, std::string const& field = "") const {
        auto const xyz = file("a.xyz", points);
        auto const q = file("a.q", fields);
        try {
            (void)read_mesh(world(), xyz, {.field = field, .solution = q});
        } catch (error const& caught) { return caught.what(); }
        return {};
    }
    /// What one rank says that reads alone.
    static std::string complaint_of_one(std::filesystem::path const& xyz, mesh_request const& wanted) {
        try {
            (void)read_plot3d_mesh(xyz, wanted, 0, 1);
        } catch (io_error const& caught) { return caught.what(); }
        return {};
    }
};

TEST_F(plot3d_mesh, is_read_as_any_program_wrote_it) {
    for (int choice = 0; choice < 32; ++choice) {
        plot3d_writer const how{
            (choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0, (choice & 8) != 0, (choice & 16) != 0};
        std::vector<std::array<int, 3>> blocks{{4, 3, 2}};
        if (how.counted) blocks.push_back({2, 2, 3});
        auto const xyz = file("a.xyz", plot3d_grid(how, blocks));
        auto const q = file("a.q", plot3d_solution(how, blocks));
        mesh_input const found =
            read_mesh(world(), xyz, {.field = "", .carried = {"momentum", "energy"}, .solution = q});
        check(world(), found.of);
        EXPECT_EQ(found.of.points.total(), how.counted ? 36 : 24) << choice;
        EXPECT_EQ(found.of.cells.total(), how.counted ? 8 : 6) << choice;
        EXPECT_EQ(found.field.name, "density");
        ASSERT_EQ(found.of.of_points.size(), 2U);
        for (std::size_t i = 0; i < found.of.places.size(); ++i) {
            auto const& at = found.of.places[i];
            EXPECT_EQ(found.field.values[i], at[2]);
            EXPECT_EQ(found.of.of_points[0].values[3 * i], at[1]);
            EXPECT_EQ(found.of.of_points[0].values[3 * i + 2], 2);
            EXPECT_EQ(found.of.of_points[1].values[i], at[0] < 100 ? at[0] : at[0] - 100);
        }
        auto const cut = contour(world(), found.of, found.field.values, {.values = {0.5}});
        EXPECT_EQ(cut.of_values[0].triangles, how.counted ? 14 : 12);
        EXPECT_NEAR(cut.of_values[0].area, how.counted ? 7 : 6, 1e-12);
    }
}

TEST_F(plot3d_mesh, leaves_out_cells_with_a_blanked_corner) {
    plot3d_writer const how{.blanked = true};
    std::vector<std::array<int, 3>> const blocks{{3, 3, 3}};
    auto const q = file("a.q", plot3d_solution(how, blocks));
    for (auto const& [blank, cells] : {std::pair{0, 7}, std::pair{13, 0}, std::pair{26, 7}, std::pair{4, 4}})
        EXPECT_EQ(
            read_mesh(world(), file("a.xyz", plot3d_grid(how, blocks, blank)), {.field = "", .solution = q})
                .of.cells.total(),
            cells)
            << blank;
}

TEST_F(plot3d_mesh, refuses_files_that_are_cut_off_anywhere) {
    for (plot3d_writer const how :
        {plot3d_writer{}, plot3d_writer{.records = true, .counted = true, .blanked = true}}) {
        auto const xyz = file("a.xyz", plot3d_grid(how, {{2, 2, 2}}));
        auto const q = file("a.q", plot3d_solution(how, {{2, 2, 2}}));
        if (rank() != 0) continue;
        mesh_request const wanted{.field = "", .solution = q};
        EXPECT_EQ(read_plot3d_mesh(xyz, wanted, 0, 1).kinds.size(), 1U);
        for (auto const& [cut, expected] : {std::pair{q, "a.q: expected a solution of PLOT3D"},
                 std::pair{xyz, "a.xyz: expected a grid of PLOT3D"}})
            for (auto length = std::filesystem::file_size(cut); length-- > 0;) {
                std::filesystem::resize_file(cut, length);
                EXPECT_NE(complaint_of_one(xyz, wanted).find(expected), std::string::npos) << length;
            }
    }
}

TEST_F(plot3d_mesh, says_what_does_not_fit) {
    std::vector<std::array<int, 3>> const blocks{{2, 2, 2}};
    std::string const points = plot3d_grid({}, blocks);
    std::string const fields = plot3d_solution({}, blocks);
    EXPECT_NE(complaint(points, plot3d_solution({}, {{2, 2, 3}})).find("found other numbers of points"),
        std::string::npos);
    EXPECT_NE(complaint(points, fields, "heat").find("has no array 'heat'"), std::string::npos);
    EXPECT_NE(complaint(points, fields, "momentum").find("has 3 values each"), std::string::npos);
    EXPECT_NE(complaint(plot3d_grid({}, blocks, -1, std::numeric_limits<double>::quiet_NaN()), fields)
                  .find("point 0 of block 0 has a coordinate that is not finite"),
        std::string::npos);
}

} // namespace
