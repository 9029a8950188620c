#include <meshes/plot3d_mesh.hpp>

#include <meshes/read_mesh.hpp>

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

/// How a program wrote its files.
struct writer {
    bool swapped = false;
    bool records = false;
    bool counted = false;
    bool doubles = false;
    bool blanked = false;

    template <class T>
    void put(std::string& into, T value) const {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        if (swapped) std::reverse(bytes, bytes + sizeof(T));
        into.append(bytes, sizeof(T));
    }
    void real(std::string& into, double value) const {
        doubles ? put(into, value) : put(into, static_cast<float>(value));
    }
    void close(std::string& into, std::string const& record) const {
        if (records) put(into, static_cast<std::int32_t>(record.size()));
        into += record;
        if (records) put(into, static_cast<std::int32_t>(record.size()));
    }
    [[nodiscard]] std::string head(std::vector<std::array<int, 3>> const& blocks) const {
        std::string made;
        std::string numbers;
        put(numbers, static_cast<std::int32_t>(blocks.size()));
        if (counted) close(made, numbers);
        numbers.clear();
        for (auto const& block : blocks)
            for (int const each : block) put(numbers, static_cast<std::int32_t>(each));
        close(made, numbers);
        return made;
    }
};

/// Cubes of side 1, the blocks behind each other along x.
std::string grid(
    writer const& how, std::vector<std::array<int, 3>> const& blocks, int blank = -1, double first = 0) {
    std::string made = how.head(blocks);
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        auto const& n = blocks[block];
        std::string record;
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < n[2]; ++k)
                for (int j = 0; j < n[1]; ++j)
                    for (int i = 0; i < n[0]; ++i)
                        how.real(record,
                            axis == 0 ? first + i + 100.0 * static_cast<double>(block) : (axis == 1 ? j : k));
        for (int point = 0; how.blanked && point < n[0] * n[1] * n[2]; ++point)
            how.put(record, static_cast<std::int32_t>(point == blank ? 0 : 1));
        how.close(made, record);
    }
    return made;
}

/// Density is z, energy x; momentum is y, 1, 2.
std::string solution(writer const& how, std::vector<std::array<int, 3>> const& blocks) {
    std::string made = how.head(blocks);
    for (auto const& n : blocks) {
        std::string record;
        for (int i = 0; i < 4; ++i) how.real(record, i);
        how.close(made, record);
        record.clear();
        for (int array = 0; array < 5; ++array)
            for (int k = 0; k < n[2]; ++k)
                for (int j = 0; j < n[1]; ++j)
                    for (int i = 0; i < n[0]; ++i)
                        how.real(record, std::array<double, 5>{0.0 + k, 0.0 + j, 1, 2,
                                             0.0 + i}[static_cast<std::size_t>(array)]);
        how.close(made, record);
    }
    return made;
}

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
        writer const how{
            (choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0, (choice & 8) != 0, (choice & 16) != 0};
        std::vector<std::array<int, 3>> blocks{{4, 3, 2}};
        if (how.counted) blocks.push_back({2, 2, 3});
        auto const xyz = file("a.xyz", grid(how, blocks));
        auto const q = file("a.q", solution(how, blocks));
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
    writer const how{.blanked = true};
    std::vector<std::array<int, 3>> const blocks{{3, 3, 3}};
    auto const q = file("a.q", solution(how, blocks));
    for (auto const& [blank, cells] : {std::pair{0, 7}, std::pair{13, 0}, std::pair{26, 7}, std::pair{4, 4}})
        EXPECT_EQ(read_mesh(world(), file("a.xyz", grid(how, blocks, blank)), {.field = "", .solution = q})
                      .of.cells.total(),
            cells)
            << blank;
}

TEST_F(plot3d_mesh, refuses_files_that_are_cut_off_anywhere) {
    for (writer const how : {writer{}, writer{.records = true, .counted = true, .blanked = true}}) {
        auto const xyz = file("a.xyz", grid(how, {{2, 2, 2}}));
        auto const q = file("a.q", solution(how, {{2, 2, 2}}));
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
    std::string const points = grid({}, blocks);
    std::string const fields = solution({}, blocks);
    EXPECT_NE(complaint(points, solution({}, {{2, 2, 3}})).find("found other numbers of points"),
        std::string::npos);
    EXPECT_NE(complaint(points, fields, "heat").find("has no array 'heat'"), std::string::npos);
    EXPECT_NE(complaint(points, fields, "momentum").find("has 3 values each"), std::string::npos);
    EXPECT_NE(complaint(grid({}, blocks, -1, std::numeric_limits<double>::quiet_NaN()), fields)
                  .find("point 0 of block 0 has a coordinate that is not finite"),
        std::string::npos);
}

} // namespace
