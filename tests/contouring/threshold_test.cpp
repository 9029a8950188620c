#include <weft/contouring/threshold.hpp>

#include "cubes.hpp"

#include <weft/core/error.hpp>

#include <cmath>
#include <limits>

namespace {

using weft::cell_kind;
using weft::corner_rule;
using weft_test::world;

TEST(threshold, of_everything_is_everything) {
    auto const field = weft_test::noise_of({5, 4, 6});
    for (cell_kind const kind :
        {cell_kind::tetrahedron, cell_kind::prism, cell_kind::pyramid, cell_kind::hexahedron}) {
        auto cubes = weft_test::mesh_of(field, {kind});
        cubes.mesh.of_points.push_back({"noise", 1, cubes.values});
        auto const found = threshold(world(), cubes.mesh, cubes.values, false, {});
        check(world(), found.kept);
        EXPECT_EQ(found.kept.corners, cubes.mesh.corners);
        EXPECT_EQ(found.kept.places, cubes.mesh.places);
        EXPECT_EQ(found.kept.of_points, cubes.mesh.of_points);
        EXPECT_NEAR(found.volume, 60, 1e-9);
        EXPECT_EQ(found.components, 1);
    }
}

TEST(threshold, keeps_cells_by_their_corners_in_volumes_as_in_meshes) {
    auto const field = weft_test::noise_of({6, 5, 7});
    auto cubes = weft_test::mesh_of(field, {cell_kind::hexahedron});
    cubes.mesh.of_points.push_back({"noise", 1, cubes.values});
    for (corner_rule const rule : {corner_rule::all, corner_rule::any}) {
        weft::threshold_options const options{
            .least = 0.05, .most = rule == corner_rule::all ? 0.9 : 0.1, .corners = rule};
        auto const of_mesh = threshold(world(), cubes.mesh, cubes.values, false, options);
        auto const of_grid =
            threshold(world(), {.points = field.points}, weft_test::layers_of(field), "noise", options);
        EXPECT_EQ(of_mesh.kept.corners, of_grid.kept.corners);
        EXPECT_EQ(of_mesh.kept.places, of_grid.kept.places);
        EXPECT_EQ(of_mesh.kept.of_points, of_grid.kept.of_points);
        EXPECT_EQ(of_mesh.volume, of_grid.volume);
        std::int64_t expected = 0;
        for (std::int64_t z = 0; z < 6; ++z)
            for (std::int64_t y = 0; y < 4; ++y)
                for (std::int64_t x = 0; x < 5; ++x) {
                    int within = 0;
                    for (int c = 0; c < 8; ++c) {
                        double const value = field.at(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
                        within += value >= options.least.nearest() && value <= options.most.nearest();
                    }
                    expected += rule == corner_rule::all ? within == 8 : within > 0;
                }
        EXPECT_EQ(of_grid.kept.cells.total(), expected);
        EXPECT_GT(expected, 0);
        EXPECT_LT(expected, 120);
    }
}

TEST(threshold, of_mirrored_grids_turns_no_cell_inside_out) {
    auto const field = weft_test::noise_of({4, 3, 5});
    for (double const sign : {1.0, -1.0}) {
        weft::grid_lines grid{.points = field.points};
        grid.place = {{10, 20, 30}, {{{0, sign, 0}, {2, 0, 0}, {0, 0, 1}}}};
        auto const found = threshold(world(), grid, layers_of(field), "noise", {.least = 0});
        EXPECT_NEAR(found.volume, 48, 1e-9);
        auto const places = all_gatherv(world(), found.kept.places);
        for (std::size_t at = 0; at < found.kept.corners.size(); at += 8) {
            auto const corner = [&](std::size_t c) {
                return places[static_cast<std::size_t>(found.kept.corners[at + c])];
            };
            double volume = 0; // the edges from the first corner, to the right, to the back and up
            for (std::size_t d = 0; d < 3; ++d) {
                std::size_t const e = (d + 1) % 3;
                std::size_t const f = (d + 2) % 3;
                auto const edge = [&](std::size_t c, std::size_t along) {
                    return corner(c)[along] - corner(0)[along];
                };
                volume += edge(1, d) * (edge(3, e) * edge(4, f) - edge(3, f) * edge(4, e));
            }
            EXPECT_NEAR(volume, 2, 1e-9);
        }
    }
}

/// The cells of a grid of noise in boxes that are dealt to ranks in turn, cut along all axes.
std::vector<weft::grid_values<double>> bricks_of(
    weft_test::field const& of, std::vector<std::vector<double>>& room, bool of_cells) {
    std::vector<weft::grid_values<double>> mine;
    int number = 0;
    auto const cut = [&](std::size_t d) {
        return std::vector<std::int64_t>{0, of.points[d] / 2, of.points[d] - 1};
    };
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 2; ++i) {
                if (number++ % world().size() != world().rank()) continue;
                weft::box<std::int64_t> in{3, {cut(0)[i], cut(1)[j], cut(2)[k]},
                    {cut(0)[i + 1] + 1, cut(1)[j + 1] + 1, cut(2)[k + 1] + 1}};
                std::vector<double>& values = room.emplace_back();
                int const less = of_cells ? 1 : 0;
                for (std::int64_t z = in.lo[2]; z < in.hi[2] - less; ++z)
                    for (std::int64_t y = in.lo[1]; y < in.hi[1] - less; ++y)
                        for (std::int64_t x = in.lo[0]; x < in.hi[0] - less; ++x)
                            values.push_back(of.at(x, y, z));
                mine.push_back({in, {}});
            }
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i].values = room[i];
    return mine;
}

TEST(threshold, does_not_depend_on_boxes_and_counts_without_a_mesh) {
    auto const field = weft_test::noise_of({7, 6, 8});
    for (bool const of_cells : {false, true})
        for (double const least : {0.1, 0.5, 0.8}) {
            weft::threshold_options options{.least = least, .most = 0.95};
            std::vector<std::vector<double>> room;
            auto const bricks = bricks_of(field, room, of_cells);
            weft::grid_lines const grid{.points = field.points, .values_of_cells = of_cells};
            auto const found = threshold(world(), grid, bricks, "noise", options);
            check(world(), found.kept);
            auto cubes = weft_test::mesh_of(field, {cell_kind::hexahedron});
            std::vector<double> values = cubes.values;
            if (of_cells) {
                values.clear();
                for (auto id = cubes.mesh.cells.begin(world().rank());
                     id < cubes.mesh.cells.end(world().rank()); ++id)
                    values.push_back(field.at(id % 6, id / 6 % 5, id / 30));
            }
            auto const expected = threshold(world(), cubes.mesh, values, of_cells, options);
            EXPECT_EQ(found.cells, expected.cells);
            EXPECT_EQ(found.points, expected.points);
            EXPECT_EQ(found.components, expected.components);
            EXPECT_EQ(found.volume, expected.volume);
            EXPECT_EQ(found.kept.cells.total(), expected.cells);
            EXPECT_EQ(found.kept.points.total(), expected.points);
            EXPECT_EQ(found.kept.of_cells.size(), of_cells ? 1U : 0U);
            options.makes_mesh = false;
            auto const counted = threshold(world(), grid, bricks, "noise", options);
            EXPECT_EQ(counted.cells, expected.cells);
            EXPECT_EQ(counted.points, expected.points);
            EXPECT_EQ(counted.components, expected.components);
            EXPECT_EQ(counted.volume, expected.volume);
            EXPECT_EQ(counted.kept.cells.total(), 0);
        }
}

TEST(threshold, leaves_out_hidden_cells) {
    auto const field = weft_test::noise_of({3, 2, 9});
    auto mine = weft_test::layers_of(field);
    std::vector<std::uint8_t> hidden;
    for (auto const& part : mine)
        for (std::int64_t z = part.points.lo[2]; z + 1 < part.points.hi[2]; ++z)
            for (int x = 0; x < 2; ++x) hidden.push_back(z == 4 || x == 1 ? 32 : 0);
    for (auto& part : mine) part.hidden = hidden;
    auto const found = threshold(world(), {.points = field.points}, mine, "noise", {});
    EXPECT_EQ(found.cells, 7);
    EXPECT_EQ(found.points, 4 * 9);
    EXPECT_EQ(found.components, 2);
}

TEST(threshold, goes_by_values_of_cells_and_counts_components) {
    auto cubes = weft_test::mesh_of(weft_test::noise_of({2, 2, 8}), {cell_kind::hexahedron});
    std::vector<double> layer;
    for (auto id = cubes.mesh.cells.begin(world().rank()); id < cubes.mesh.cells.end(world().rank()); ++id)
        layer.push_back(id == 2 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(id));
    cubes.mesh.of_cells.push_back({"layer", 1, layer});
    auto const found = threshold(world(), cubes.mesh, layer, true, {.least = 1, .most = 4});
    EXPECT_EQ(found.kept.cells.total(), 3);
    EXPECT_EQ(found.kept.points.total(), 20);
    EXPECT_EQ(found.components, 2);
    EXPECT_NEAR(found.volume, 3, 1e-12);
    EXPECT_EQ(all_gatherv(world(), found.kept.of_cells[0].values), (std::vector<double>{1, 3, 4}));
}

TEST(threshold, that_nothing_meets_is_an_empty_mesh) {
    auto const cubes = weft_test::mesh_of(weft_test::noise_of({3, 3, 3}), {cell_kind::tetrahedron});
    auto const found = threshold(world(), cubes.mesh, cubes.values, false, {.least = 2});
    EXPECT_EQ(found.kept.cells.total() + found.kept.points.total() + found.components, 0);
    EXPECT_EQ(found.volume, 0);
    EXPECT_THROW((void)threshold(world(), cubes.mesh, cubes.values, false, {.least = 2, .most = 1}),
        weft::usage_error);
    EXPECT_THROW((void)threshold(world(), cubes.mesh, std::vector<double>(99), false, {}), weft::usage_error);
}

TEST(threshold, a_grid_of_more_points_than_numbers_is_refused) {
    std::int64_t const many = std::int64_t{1} << 32;
    for (std::array<std::int64_t, 3> const& points : {std::array<std::int64_t, 3>{many, many, 1},
             {many, many, many}, {many, many / 2, 1}, {0, 2, 2}, {2, 2, -1}})
        EXPECT_THROW((void)threshold(world(), {.points = points}, {}, "value", {}), weft::usage_error);
    EXPECT_EQ(threshold(world(), {.points = {many, many / 4, 1}}, {}, "value", {}).kept.cells.total(), 0);
}

TEST(threshold, what_lap_throws_on_one_rank_is_thrown_on_all) {
    auto const cubes = weft_test::mesh_of(weft_test::noise_of({3, 3, 3}), {cell_kind::tetrahedron});
    for (std::string const wrong : {"find", "balance", "number"}) {
        weft::threshold_options options;
        options.lap = [&](std::string_view phase) {
            if (world().rank() == world().size() - 1 && phase == wrong)
                throw weft::usage_error("no more laps");
        };
        EXPECT_THROW((void)threshold(world(), cubes.mesh, cubes.values, false, options), weft::usage_error);
    }
    if (world().size() == 1) return;
    weft::threshold_options differ;
    differ.least = world().rank() == 0 ? 0.1 : 0.2;
    EXPECT_THROW((void)threshold(world(), cubes.mesh, cubes.values, false, differ), weft::usage_error);
}

} // namespace
