/// Surfaces of grids on all ranks, against what can be counted and computed by hand.
#include <weft/contouring/contour.hpp>

#include "balls.hpp"
#include "cubes.hpp"

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace {

using weft::contour_counts;
using weft_test::field;
using weft_test::world;

TEST(contour, of_a_ball_has_its_area_and_encloses_it) {
    double const radius = 8.3;
    auto const ball = weft_test::ball_of(24, radius);
    auto const found = weft_test::contour_of(ball, {.values = {0}});
    contour_counts const& all = found.of_values.at(0);
    EXPECT_NEAR(all.area, 4 * std::numbers::pi * radius * radius, 0.01 * all.area);
    EXPECT_EQ(all.components, 1);
    EXPECT_EQ(all.points - all.triangles / 2, 2); // Euler: a closed surface without holes
    EXPECT_EQ(all.points, weft_test::crossed_edges(ball, 0));
    weft_test::whole_surface const whole = weft_test::gathered(found.made);
    EXPECT_NEAR(weft_test::enclosed(whole), 4.0 / 3 * std::numbers::pi * std::pow(radius, 3), 30);
    EXPECT_EQ(weft_test::open_sides(whole), 0);
    for (std::size_t i = 0; i < whole.places.size(); ++i) {
        double along = 0;
        for (std::size_t d = 0; d < 3; ++d)
            along += (whole.places[i][d] - 11.5) / radius * static_cast<double>(whole.normals[i][d]);
        EXPECT_GT(along, 0.98);
    }
}

TEST(contour, of_noise_is_closed_and_does_not_depend_on_balance) {
    field const noise = weft_test::noise_of({9, 7, 8});
    auto const still = weft_test::contour_of(noise, {.values = {0.5}, .balance = weft::cell_balance::never});
    auto const moved = weft_test::contour_of(noise, {.values = {0.5}, .balance = weft::cell_balance::always});
    EXPECT_EQ(still.of_values, moved.of_values);
    EXPECT_EQ(weft_test::gathered(still.made), weft_test::gathered(moved.made));
    EXPECT_LE(moved.imbalance_after, std::max(0.1, 0.5 * moved.imbalance_before));
    EXPECT_EQ(still.of_values[0].points, weft_test::crossed_edges(noise, 0.5));
    // Noise has all ambiguous faces; in a rim of values outside, its surface is closed.
    field const rimmed = weft_test::with_rim(noise, 0);
    auto const closed = weft_test::contour_of(rimmed, {.values = {0.5}});
    EXPECT_EQ(weft_test::open_sides(weft_test::gathered(closed.made)), 0);
}

TEST(contour, of_several_values_is_that_of_each) {
    field const noise = weft_test::noise_of({8, 6, 7});
    auto const both = weft_test::contour_of(noise, {.values = {0.3, 0.7}});
    for (std::size_t v = 0; v < 2; ++v) {
        auto const alone = weft_test::contour_of(noise, {.values = {v == 0 ? 0.3 : 0.7}});
        EXPECT_EQ(both.of_values.at(v), alone.of_values.at(0));
    }
    weft_test::whole_surface const whole = weft_test::gathered(both.made);
    for (auto const& corners : whole.corners)
        EXPECT_TRUE(whole.values[static_cast<std::size_t>(corners[0])] ==
                        whole.values[static_cast<std::size_t>(corners[1])] &&
                    whole.values[static_cast<std::size_t>(corners[0])] ==
                        whole.values[static_cast<std::size_t>(corners[2])]);
}

TEST(contour, components_are_counted_across_ranks) {
    field two = weft_test::ball_of(20, 4.2);
    field const other = weft_test::ball_of(20, 4.2);
    two.points[2] = 40; // one ball above the other
    two.values.insert(two.values.end(), other.values.begin(), other.values.end());
    EXPECT_EQ(weft_test::contour_of(two, {.values = {0}}).of_values[0].components, 2);
}

TEST(contour, cells_on_one_rank_are_dealt_to_all) {
    field thin = weft_test::noise_of({12, 12, 16});
    std::fill(thin.values.begin() + 12 * 12 * 3, thin.values.end(), 0.0);
    auto const found = weft_test::contour_of(thin, {.values = {0.5}});
    if (world().size() >= 4) { EXPECT_GT(found.imbalance_before, 0.3); }
    EXPECT_LE(found.imbalance_after, 0.1);
}

TEST(contour, leaves_out_cells_without_a_value) {
    field noise = weft_test::noise_of({6, 6, 6});
    noise.values[0] = std::numeric_limits<double>::quiet_NaN();
    noise.values[5] = std::numeric_limits<double>::infinity();
    noise.values.back() = -7;
    auto const found = weft_test::contour_of(noise, {.values = {0.5}}, -7);
    EXPECT_EQ(found.of_values[0].points, weft_test::crossed_edges(noise, 0.5, -7));
    for (auto const& place : weft_test::gathered(found.made).places)
        for (double const each : place) EXPECT_TRUE(std::isfinite(each));
}

TEST(contour, mirrored_axes_turn_no_triangle_inside_out) {
    auto ball = weft_test::ball_of(16, 5);
    double const volume =
        weft_test::enclosed(weft_test::gathered(weft_test::contour_of(ball, {.values = {0}}).made));
    for (int x = 0; x < 16; ++x) ball.axes[0].push_back(-2.0 * x);
    double const mirrored =
        weft_test::enclosed(weft_test::gathered(weft_test::contour_of(ball, {.values = {0}}).made));
    EXPECT_NEAR(mirrored, 2 * volume, 1e-9 * mirrored);
}

TEST(contour, lies_where_the_grid_is_placed_and_is_not_inside_out) {
    auto ball = weft_test::ball_of(16, 5);
    for (double& each : ball.values) each = std::round(2 * each) / 2; // some corners have the level itself
    weft_test::whole_surface const plain =
        weft_test::gathered(weft_test::contour_of(ball, {.values = {0}}).made);
    for (double const sign : {1.0, -1.0}) {
        ball.place = {{10, 20, 30}, {{{0, -1, 0.5}, {sign, 0, 0}, {0, 0, 2}}}};
        weft_test::whole_surface const moved =
            weft_test::gathered(weft_test::contour_of(ball, {.values = {0}}).made);
        ASSERT_EQ(moved.places.size(), plain.places.size());
        for (std::size_t i = 0; i < plain.places.size(); ++i)
            for (std::size_t d = 0; d < 3; ++d)
                EXPECT_NEAR(moved.places[i][d], ball.place.to_world(plain.places[i])[d], 1e-12);
        EXPECT_NEAR(weft_test::enclosed(moved), 2 * weft_test::enclosed(plain), 1e-9);
    }
    ball.place.matrix = {{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};
    EXPECT_THROW((void)weft_test::contour_of(ball, {.values = {0}}), weft::usage_error);
}

TEST(contour, integers_are_compared_as_numbers) {
    std::array<std::uint8_t, 8> const corner{0, 255, 0, 0, 0, 0, 0, 0};
    weft::grid_lines const grid{.points = {2, 2, 2}};
    std::vector<weft::grid_values<std::uint8_t>> mine;
    if (world().rank() == 0) mine.push_back({{3, {}, {2, 2, 2}}, corner});
    auto const points = [&](double value) {
        return contour(
            world(), grid, std::span<weft::grid_values<std::uint8_t> const>(mine), {.values = {value}})
            .of_values[0]
            .points;
    };
    for (double const value : {0.5, 254.5}) EXPECT_EQ(points(value), 3) << value;
    for (double const value : {-1.0, 0.0, 255.0, 255.5, 1e30, -1e30}) EXPECT_EQ(points(value), 0) << value;
}

/// Noise of few values in a rim of less, so that many are the level.
field steps_of(std::array<std::int64_t, 3> points, double steps) {
    field made = weft_test::noise_of(points);
    for (double& each : made.values) each = std::floor(each * steps);
    return weft_test::with_rim(made, -1);
}

TEST(contour, has_one_point_in_a_corner_that_has_the_value) {
    for (double const steps : {2.0, 3.0, 5.0}) {
        field const noise = steps_of({7, 6, 8}, steps);
        for (double value = 0; value < steps; ++value) {
            weft::contour_options const options{.values = {value}, .balance = weft::cell_balance::never};
            auto const found = weft_test::contour_of(noise, options);
            weft_test::whole_surface const whole = weft_test::gathered(found.made);
            EXPECT_GT(whole.corners.size(), 0U);
            EXPECT_EQ(weft_test::open_sides(whole), 0);
            weft_test::expect_points_apart(whole);
            EXPECT_EQ(found.of_values[0].points, static_cast<std::int64_t>(whole.places.size()));
            // Just below, all of it is apart, and what it encloses is nearly the same.
            auto const below =
                weft_test::gathered(weft_test::contour_of(noise, {.values = {value - 1e-9}}).made);
            EXPECT_NEAR(weft_test::enclosed(whole), weft_test::enclosed(below), 1e-4);
            auto const moved =
                weft_test::contour_of(noise, {.values = {value}, .balance = weft::cell_balance::always});
            EXPECT_EQ(weft_test::gathered(moved.made), whole);
            EXPECT_EQ(moved.of_values, found.of_values);
        }
    }
}

TEST(contour, carries_the_values_of_corners_exactly) {
    field const noise = steps_of({5, 5, 5}, 2);
    std::vector<double> odd;
    for (std::size_t i = 0; i < noise.values.size(); ++i) odd.push_back(0.1 * static_cast<double>(i) + 1e9);
    auto mine = weft_test::layers_of(noise);
    for (auto& part : mine)
        part.carried = {std::span(odd).subspan(
            static_cast<std::size_t>(part.values.data() - noise.values.data()), part.values.size())};
    auto const found = contour(world(), {.points = noise.points, .carried = {"odd"}},
        std::span<weft::grid_values<double> const>(mine), {.values = {1}});
    for (std::size_t i = 0; i < found.made.places.size(); ++i) {
        auto const& at = found.made.places[i];
        for (double const each : at) EXPECT_EQ(each, std::floor(each));
        auto const point = (at[2] * 7 + at[1]) * 7 + at[0];
        EXPECT_EQ(found.made.of_points[0].values[i], odd[static_cast<std::size_t>(point)]);
    }
}

TEST(contour, takes_the_type_of_the_values) {
    auto const counted = [&]<class T>(std::vector<T> const& corners, weft::value_bound const& value) {
        std::vector<weft::grid_values<T>> mine;
        if (world().rank() == 0) mine.push_back({{3, {}, {2, 2, 2}}, corners});
        return contour(
            world(), {.points = {2, 2, 2}}, std::span<weft::grid_values<T> const>(mine), {.values = {value}})
            .of_values[0];
    };
    // As float32, 0.7 is the value of these corners: half of the cell is inside, up to them.
    std::vector<float> const reals{0.7F, 0.7F, 0.7F, 0.7F, 0, 0, 0, 0};
    EXPECT_EQ(counted(reals, 0.7).triangles, 2);
    EXPECT_EQ(counted(reals, 0.7).area, 1);
    std::int64_t const beyond = (std::int64_t{1} << 53) + 1; // no double
    std::vector<std::int64_t> const wholes{
        beyond, beyond, beyond, beyond, beyond - 1, beyond - 1, beyond - 1, beyond - 1};
    EXPECT_EQ(counted(wholes, beyond).triangles, 2);
    EXPECT_EQ(counted(wholes, beyond + 1), contour_counts{});
    EXPECT_EQ(counted(wholes, beyond - 1), contour_counts{});
    std::vector<std::uint64_t> large;
    for (std::int64_t const each : wholes) large.push_back(static_cast<std::uint64_t>(each) << 10 | 1023);
    EXPECT_EQ(counted(large, large[0] - 1).points, 4);
    EXPECT_EQ(counted(large, large[0] + 1), contour_counts{});
}

TEST(contour, nothing_is_a_surface_too) {
    for (std::array<std::int64_t, 3> const points : {std::array<std::int64_t, 3>{4, 4, 1}, {4, 4, 4}}) {
        field const flat{points, std::vector<double>(static_cast<std::size_t>(16 * points[2]), 1.0), {}};
        auto const found =
            weft_test::contour_of(flat, {.values = {2}, .balance = weft::cell_balance::always});
        EXPECT_EQ(found.of_values[0], contour_counts{});
        EXPECT_EQ(found.made.points.total(), 0);
        EXPECT_EQ(found.imbalance_after, 0);
    }
}

TEST(contour, refuses_what_is_no_value_or_no_box) {
    field const noise = weft_test::noise_of({3, 3, 3});
    EXPECT_THROW((void)weft_test::contour_of(noise, {.values = {std::nan("")}}), weft::usage_error);
    EXPECT_THROW((void)weft_test::contour_of(noise, {.values = {}}), weft::usage_error);
    std::vector<weft::grid_values<double>> mine;
    if (world().rank() == world().size() - 1) mine.push_back({{3, {}, {2, 3, 3}}, noise.values});
    EXPECT_THROW((void)contour(world(), {.points = {3, 3, 3}},
                     std::span<weft::grid_values<double> const>(mine), {.values = {0.5}}),
        weft::usage_error);
}

TEST(contour, what_lap_throws_on_one_rank_is_thrown_on_all) {
    field const noise = weft_test::noise_of({3, 3, 3});
    auto const cubes = weft_test::mesh_of(noise, {weft::cell_kind::hexahedron});
    for (std::string const wrong : {"find", "balance", "kernel", "number"}) {
        weft::contour_options options{.values = {0.5}};
        options.lap = [&](std::string_view phase) {
            if (world().rank() == world().size() - 1 && phase == wrong) throw std::bad_alloc();
        };
        EXPECT_ANY_THROW((void)weft_test::contour_of(noise, options)) << wrong;
        EXPECT_ANY_THROW((void)contour(world(), cubes.mesh, cubes.values, options)) << wrong;
    }
}

TEST(contour, options_and_grids_that_differ_are_an_error_on_all_ranks) {
    if (world().size() == 1) return;
    field const noise = weft_test::noise_of({3, 3, 3});
    bool const last = world().rank() == world().size() - 1;
    EXPECT_THROW(
        (void)weft_test::contour_of(noise, {.values = last ? std::vector<weft::value_bound>{0.5}
                                                           : std::vector<weft::value_bound>{0.5, 0.6}}),
        weft::usage_error);
    EXPECT_THROW(
        (void)weft_test::contour_of(noise,
            {.values = {0.5}, .balance = last ? weft::cell_balance::always : weft::cell_balance::never}),
        weft::usage_error);
    EXPECT_THROW((void)contour(world(), {.points = {3, 3, last ? 4 : 3}},
                     std::span<weft::grid_values<double> const>(), {.values = {0.5}}),
        weft::usage_error);
}

} // namespace
