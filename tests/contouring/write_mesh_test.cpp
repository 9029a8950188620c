#include <weft/contouring/write_mesh.hpp>

#include "cubes.hpp"

#include <io/shared_folder.hpp>

#include <weft/contouring/threshold.hpp>
#include <weft/core/error.hpp>

#include <cstring>
#include <filesystem>

namespace {

using weft_test::world;

using write_mesh_test = weft_test::with_folder;

TEST_F(write_mesh_test, a_vtu_has_all_cells_and_fields) {
    auto cubes = weft_test::mesh_of(weft_test::noise_of({2, 2, 3}), {weft::cell_kind::prism});
    cubes.mesh.of_points.push_back({"a < b & \"c\"", 1, cubes.values});
    write_mesh(world(), cubes.mesh, path("two.vtu"));
    std::string const bytes = content_of(path("two.vtu"));
    EXPECT_NE(bytes.find("NumberOfPoints=\"12\" NumberOfCells=\"4\""), std::string::npos);
    EXPECT_NE(bytes.find("Name=\"a &lt; b &amp; &quot;c&quot;\""), std::string::npos);
    std::size_t at = bytes.find("   _") + 4;
    for (std::size_t const length : {96, 288, 192, 32, 4}) {
        std::uint64_t found = 0;
        std::memcpy(&found, bytes.data() + at, 8);
        EXPECT_EQ(found, length);
        at += 8 + length;
    }
    EXPECT_EQ(bytes.substr(at - 4, 4), std::string(4, '\r')); // wedges are VTK's type 13
    EXPECT_EQ(bytes.substr(at), "\n  </AppendedData>\n</VTKFile>\n");
}

TEST_F(write_mesh_test, a_mesh_that_is_none_is_an_error_on_all_ranks) {
    bool const here = world().rank() == world().size() - 1;
    auto cubes = weft_test::mesh_of(weft_test::noise_of({3, 3, 3}), {weft::cell_kind::hexahedron});
    auto const refused = [&](auto&& spoil) {
        weft::mesh made = cubes.mesh;
        if (here) spoil(made);
        EXPECT_THROW(write_mesh(world(), made, path("no.vtu")), weft::usage_error);
        EXPECT_FALSE(std::filesystem::exists(path("no.vtu")));
    };
    refused([](weft::mesh& made) { made.corners.push_back(0); });
    refused([](weft::mesh& made) { made.places.push_back({}); });
    refused([](weft::mesh& made) { made.of_points.push_back({"short", 1, {}}), made.places.push_back({}); });
    refused([](weft::mesh& made) {
        if (made.corners.empty())
            made.corners.push_back(0);
        else
            made.corners.back() = made.points.end();
    });
    if (world().size() > 1)
        refused([](weft::mesh& made) {
            made.of_points.push_back({"mine", 1, std::vector<double>(made.places.size())});
        });
}

/// Writes kept cells of noise, by a mesh and without one, and expects the same counts.
void keep_both_ways(weft_test::field const& field, weft::grid_lines grid,
    weft::threshold_options const& options, std::filesystem::path const& with,
    std::filesystem::path const& without) {
    auto layers = layers_of(field);
    std::vector<std::vector<double>> room;
    std::vector<double> of_points, of_cells;
    std::vector<std::uint8_t> hidden;
    grid.carried = {"twice"};
    grid.carried_of_cells = {"place"};
    for (auto& each : layers) {
        weft::box<std::int64_t> const& in = each.points;
        std::vector<double> cells;
        for (std::int64_t z = in.lo[2]; z + 1 < in.hi[2]; ++z)
            for (std::int64_t y = in.lo[1]; y + 1 < in.hi[1]; ++y)
                for (std::int64_t x = in.lo[0]; x + 1 < in.hi[0]; ++x) {
                    cells.push_back(field.at(x, y, z));
                    of_cells.push_back(static_cast<double>((z * 100 + y) * 100 + x));
                    hidden.push_back((x + y + z) % 5 == 0 ? 1 : 0);
                }
        for (double const value : each.values) of_points.push_back(2 * value);
        each.carried = {of_points};
        each.carried_of_cells = {of_cells};
        each.hidden = hidden;
        if (grid.values_of_cells) each.values = room.emplace_back(std::move(cells));
    }
    std::span<weft::grid_values<double> const> const mine = layers;
    weft::threshold_result const found = threshold(world(), grid, mine, "noise", options);
    write_mesh(world(), found.kept, with);
    weft::threshold_result const written = write_threshold(world(), grid, mine, "noise", options, without);
    EXPECT_EQ(written.cells, found.cells);
    EXPECT_EQ(written.points, found.points);
    EXPECT_EQ(written.components, found.components);
    EXPECT_EQ(written.volume, found.volume);
    EXPECT_EQ(written.kept.cells.total(), 0);
}

TEST_F(write_mesh_test, kept_cells_are_written_without_a_mesh) {
    for (std::array<std::int64_t, 3> const points :
        {std::array<std::int64_t, 3>{70, 5, 9}, {6, 7, 2}, {4, 2, 2}}) {
        auto const field = weft_test::noise_of(points);
        for (bool const of_cells : {false, true})
            for (double const least : {0.0, 0.3, 0.8, 2.0})
                for (double const sign : {1.0, -1.0}) {
                    weft::grid_lines grid{.points = field.points, .values_of_cells = of_cells};
                    grid.place = {{10, 20, 30}, {{{0, sign, 0}, {2, 0, 0}, {0, 0, 1}}}};
                    keep_both_ways(field, grid,
                        {.least = least,
                            .corners = of_cells ? weft::corner_rule::all : weft::corner_rule::any},
                        path("with.vtu"), path("without.vtu"));
                    EXPECT_EQ(content_of(path("without.vtu")), content_of(path("with.vtu")));
                }
    }
}

TEST_F(write_mesh_test, kept_cells_that_cannot_be_written_are_an_error_on_all_ranks) {
    auto const field = weft_test::noise_of({4, 4, 4});
    auto const layers = layers_of(field);
    std::span<weft::grid_values<double> const> const mine = layers;
    weft::grid_lines const grid{.points = field.points};
    EXPECT_THROW(
        (void)write_threshold(world(), grid, mine, "noise", {}, path("no") / "such.vtu"), weft::io_error);
    EXPECT_THROW((void)write_threshold(world(), grid, mine, "noise", {.least = 2, .most = 1}, path("no.vtu")),
        weft::usage_error);
    EXPECT_FALSE(std::filesystem::exists(path("no.vtu")));
}

} // namespace
