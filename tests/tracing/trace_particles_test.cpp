#include <weft/tracing/trace_particles.hpp>

#include "formula_flow.hpp"

#include <tracing/path_rule.hpp>
#include <tracing/tracer.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/tracing/traces.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

using weft::path_options;
using weft::trace_end;
using weft::vector3;
using weft::vector_grid;
using weft_test::even_points;

namespace {

constexpr double turn = 2 * std::numbers::pi;

vector_grid grid_of(std::vector<double> times = {0}) {
    return {
        {13, 9, 5}, {even_points(0, 6, 13), even_points(0, 4, 9), {0, 0.5, 0.8, 1.5, 3}}, std::move(times)};
}

vector3 swirls(vector3 const& at, double time) {
    return {
        std::sin(2 * at[1]) + 0.2, std::cos(3 * at[0]) - 0.1 * at[2], 0.3 * std::sin(at[0] * at[1]) + time};
}

/// Reads `of` at the points of `grid`, which outlives it.
template <class T>
auto reader_of(vector_grid const& grid, vector3 (*of)(vector3 const&, double)) {
    return [&grid, of](std::size_t step, weft::box<std::int64_t> const& points, std::span<T> into) {
        auto const at = [&](std::size_t d, std::int64_t i) {
            return grid.axes[d][static_cast<std::size_t>(i)];
        };
        std::size_t next = 0;
        for (std::int64_t z = points.lo[2]; z < points.hi[2]; ++z)
            for (std::int64_t y = points.lo[1]; y < points.hi[1]; ++y)
                for (std::int64_t x = points.lo[0]; x < points.hi[0]; ++x)
                    for (double const value : of({at(0, x), at(1, y), at(2, z)}, grid.times[step]))
                        into[next++] = static_cast<T>(value);
        if (next != into.size()) throw std::logic_error("a box and its values differ");
    };
}

/// Unevenly many a rank, the first having none where there are several.
std::vector<vector3> seeds_here() {
    std::mt19937_64 random = weft_test::random();
    std::uniform_real_distribution<double> share(0, 1);
    std::vector<vector3> all;
    for (int i = 0; i < 40; ++i) all.push_back({6 * share(random), 4 * share(random), 3 * share(random)});
    if (weft_test::size() == 1) return all;
    auto const begin = [&](int rank) { // of rank 1 and after
        return std::min<std::size_t>(all.size(), static_cast<std::size_t>((rank - 1) * (rank - 1)) * 3);
    };
    if (weft_test::rank() == 0) return {};
    std::size_t const first = begin(weft_test::rank());
    std::size_t const last =
        weft_test::rank() == weft_test::size() - 1 ? all.size() : begin(weft_test::rank() + 1);
    return {
        all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last)};
}

template <class T>
std::vector<T> of_all_ranks(std::vector<T> const& mine) {
    weft::outbox<T> out(weft_test::world());
    for (int to = 0; to < weft_test::size(); ++to) out[to].append(std::span(mine));
    return weft::exchange(std::move(out)).concatenate();
}

/// Of one block on this rank alone.
weft::traces serially(vector_grid const& grid, path_options const& path) {
    weft_test::formula_flow const flow(grid.axes[0], grid.axes[1], grid.axes[2], swirls, grid.times);
    std::vector<weft::seed> seeds;
    for (vector3 const& place : of_all_ranks(seeds_here()))
        seeds.push_back({static_cast<std::int64_t>(seeds.size()), place});
    weft::communicator const self = weft_test::world().split(weft_test::rank());
    weft::tracer with(self, flow, {});
    return with.trace(seeds, weft::options_of(path, with, *flow.domain()));
}

void expect_same(std::vector<trace_end> const& found, std::vector<trace_end> const& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].id, expected[i].id);
        EXPECT_EQ(found[i].seed, expected[i].seed);
        EXPECT_EQ(found[i].place, expected[i].place) << "seed " << i;
        EXPECT_EQ(found[i].steps, expected[i].steps);
        EXPECT_EQ(found[i].path, expected[i].path);
        EXPECT_EQ(found[i].inside, expected[i].inside);
    }
}

} // namespace

TEST(trace_particles, is_the_tracer_of_one_block_whatever_is_chosen) {
    vector_grid const grid = grid_of({0, 0.5, 2});
    for (path_options const& path : {path_options{.step = 0.1, .max_steps = 100},
             path_options{.adaptive = true, .max_steps = 60, .duration = 1.5, .tolerance = 1e-5},
             path_options{.max_steps = 30, .start = 1.2, .backward = true, .lines = true}}) {
        weft::traces const expected = serially(grid, path);
        for (path_options other : {path_options{.blocks = 1}, path_options{.blocks = 3, .threads = 2},
                 path_options{.blocks = 2, .in_rounds = true}}) {
            path_options const chosen{path.adaptive, path.step, path.max_steps, path.duration, path.tolerance,
                path.min_step, path.max_step, path.start, path.backward, path.lines, other.blocks,
                other.threads, other.in_rounds};
            weft::traces const found = weft::trace_particles(
                weft_test::world(), grid, reader_of<double>(grid, swirls), seeds_here(), chosen);
            expect_same(of_all_ranks(found.ends), expected.ends);
            EXPECT_EQ(of_all_ranks(found.lines.seeds), expected.lines.seeds);
            EXPECT_EQ(of_all_ranks(found.lines.points).size(), expected.lines.points.size());
            EXPECT_EQ(found.totals.steps, expected.totals.steps);
            EXPECT_EQ(found.totals.inside, expected.totals.inside);
        }
    }
}

TEST(trace_particles, half_the_memory_gives_nearly_the_same) {
    vector_grid const grid = grid_of();
    path_options const path{.step = 0.05, .max_steps = 20};
    auto const exact =
        weft::trace_particles(weft_test::world(), grid, reader_of<double>(grid, swirls), seeds_here(), path);
    auto const half = weft::trace_particles<float>(
        weft_test::world(), grid, reader_of<float>(grid, swirls), seeds_here(), path);
    ASSERT_EQ(half.ends.size(), exact.ends.size());
    for (std::size_t i = 0; i < half.ends.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(half.ends[i].place[d], exact.ends[i].place[d], 1e-4);
}

TEST(trace_particles, axes_that_close_keep_particles_inside) {
    vector_grid grid{.points = {7, 3, 3}, .periodic = {true, false, false}};
    auto const along_x = [](std::size_t, weft::box<std::int64_t> const&, std::span<double> into) {
        for (std::size_t i = 0; i < into.size(); ++i) into[i] = i % 3 == 0 ? 1 : 0;
    };
    std::vector<vector3> const seeds{{5, 1, 1}};
    path_options const path{.step = 0.25, .max_steps = 60}; // 15 in all: two rounds of 6 and 3
    auto const round = weft::trace_particles(weft_test::world(), grid, along_x, seeds, path);
    EXPECT_EQ(round.totals.inside, weft_test::size());
    for (trace_end const& end : round.ends) EXPECT_NEAR(end.place[0], 2, 1e-12);
    grid.periodic = {};
    auto const out = weft::trace_particles(weft_test::world(), grid, along_x, seeds, path);
    EXPECT_EQ(out.totals.inside, 0);
}

TEST(trace_particles, a_field_at_rest_ends_no_particle_and_takes_all_steps) {
    vector_grid const grid{.points = {4, 4, 4}};
    auto const nothing = [](std::size_t, weft::box<std::int64_t> const&, std::span<double>) {};
    std::vector<vector3> const seeds{{1, 1, 1}};
    for (bool const adaptive : {false, true}) {
        auto const found = weft::trace_particles(weft_test::world(), grid, nothing, seeds,
            {.adaptive = adaptive, .max_steps = 5, .duration = adaptive ? 10 : path_options{}.duration});
        EXPECT_EQ(found.totals.inside, weft_test::size());
        EXPECT_EQ(found.totals.mean_final, (vector3{1, 1, 1}));
    }
}

TEST(trace_particles, what_cannot_be_is_an_error_everywhere) {
    auto const nothing = [](std::size_t, weft::box<std::int64_t> const&, std::span<double>) {};
    auto const with = [&](vector_grid const& grid, path_options const& path = {}) {
        (void)weft::trace_particles(weft_test::world(), grid, nothing, std::vector<vector3>{}, path);
    };
    EXPECT_NO_THROW(with({.points = {4, 4, 4}}));
    EXPECT_THROW(with({.points = {4, 0, 4}}), weft::usage_error);
    EXPECT_THROW(with({.points = {3, 1, 1}, .axes = {{{0, 1}, {}, {}}}}), weft::usage_error);
    EXPECT_THROW(with({.points = {3, 1, 1}, .axes = {{{0, 2, 1}, {}, {}}}}), weft::usage_error);
    EXPECT_THROW(with({.points = {4, 4, 4}, .times = {}}), weft::usage_error);
    EXPECT_THROW(with({.points = {4, 4, 4}, .times = {1, 1}}), weft::usage_error);
    EXPECT_THROW(with({.points = {4, 4, 4}}, {.blocks = 0}), weft::usage_error);
    EXPECT_THROW(with({.points = {4, 4, 4}}, {.threads = 0}), weft::usage_error);
    EXPECT_THROW(with({.points = {4, 4, 4}}, {.step = -1}), weft::usage_error);
    EXPECT_THROW(with({.points = {4, 4, 4}}, {.max_steps = -1}), weft::usage_error);
    EXPECT_THROW(
        with({.points = {4, 4, 4}}, {.adaptive = true, .tolerance = std::nan("")}), weft::usage_error);
}

TEST(trace_particles, grids_and_options_that_differ_are_an_error_everywhere) {
    if (weft_test::size() == 1) return; // nothing differs
    auto const nothing = [](std::size_t, weft::box<std::int64_t> const&, std::span<double>) {};
    auto const said = [&](vector_grid const& grid, path_options const& path) {
        try {
            (void)weft::trace_particles(weft_test::world(), grid, nothing, std::vector<vector3>{}, path);
        } catch (weft::usage_error const& error) { return std::string(error.what()); }
        return std::string();
    };
    bool const last = weft_test::rank() == weft_test::size() - 1;
    vector_grid const grid{.points = {4, 4, 4}};
    EXPECT_NE(said(grid, {.lines = last}).find("lines"), std::string::npos);
    EXPECT_NE(said(grid, {.in_rounds = last}).find("in_rounds"), std::string::npos);
    EXPECT_NE(said(grid, {.adaptive = last}).find("adaptive"), std::string::npos);
    EXPECT_NE(said(grid, {.max_steps = last ? 3 : 4}).find("max_steps"), std::string::npos);
    EXPECT_NE(said(grid, {.backward = last}).find("direction"), std::string::npos);
    vector_grid other = grid;
    if (last) other.axes[2] = {0, 1, 2, 4};
    EXPECT_NE(said(other, {}).find("grid"), std::string::npos);
    EXPECT_EQ(said(grid, {}), "");
}

TEST(trace_particles, a_reader_that_throws_is_heard_everywhere) {
    vector_grid const grid{.points = {8, 8, 8}};
    auto const broken = [](std::size_t, weft::box<std::int64_t> const&, std::span<double>) {
        if (weft_test::rank() == weft_test::size() - 1) throw std::runtime_error("the tape is torn");
    };
    std::string said;
    try {
        (void)weft::trace_particles(weft_test::world(), grid, broken, std::vector<vector3>{{1, 1, 1}});
    } catch (std::exception const& error) { said = error.what(); }
    EXPECT_NE(said.find("the tape is torn"), std::string::npos) << said;
}

TEST(line_set, lines_lie_end_to_end) {
    weft::line_set const lines{.seeds = {3, 8}, .ends = {2, 5}, .points = std::vector<weft::line_point>(5)};
    EXPECT_EQ(lines.begin_of(0), 0);
    EXPECT_EQ(lines.begin_of(1), 2);
}
