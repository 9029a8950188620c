/// Particles through blocks on any number of ranks.
#include <tracing/tracer.hpp>

#include "formula_flow.hpp"

#include <tracing/synthetic_flow.hpp>

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>

#include <harness/mpi_test.hpp>

#include <cmath>
#include <numbers>
#include <string>

using weft::seed;
using weft::trace_end;
using weft::trace_engine;
using weft::trace_method;
using weft::trace_options;
using weft::tracer;
using weft::vector3;
using weft_test::even_points;
using weft_test::formula_flow;

namespace {

/// Swirls with a drift: particles meet all blocks, and some leave.
formula_flow swirls() {
    return {even_points(0, 6, 13), even_points(0, 4, 9), {0, 0.5, 0.8, 1.5, 3},
        [](vector3 const& at, double) -> vector3 {
            return {
                std::sin(2 * at[1]) + 0.2, std::cos(3 * at[0]) - 0.1 * at[2], 0.3 * std::sin(at[0] * at[1])};
        }};
}

/// The ends of one block on one thread without an engine.
template <class Method>
std::vector<trace_end> serially(
    formula_flow const& flow, std::vector<seed> const& seeds, weft::trace_rule const& rule) {
    weft::field_block const field = flow.whole();
    std::vector<trace_end> ends;
    for (seed const& each : seeds) {
        weft::particle_steps<Method> steps(field, rule, nullptr);
        auto p = weft::particle_at<Method>(each.id, each.place, rule);
        bool const inside = steps.advance(p) == weft::trace_outcome::ended;
        ends.push_back({each.id, each.place, p.place, p.steps, p.path, inside ? 1 : 0});
    }
    return ends;
}

std::vector<trace_end> on_all_ranks(std::vector<trace_end> const& mine) {
    weft::outbox<trace_end> out(weft_test::world());
    for (int to = 0; to < weft_test::size(); ++to) out[to].append(std::span(mine));
    return weft::exchange(std::move(out)).concatenate();
}

void expect_equal(std::vector<trace_end> const& a, std::vector<trace_end> const& b, std::string const& what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].id, b[i].id) << what;
        EXPECT_EQ(a[i].seed, b[i].seed) << what;
        EXPECT_EQ(a[i].place, b[i].place) << what << ", seed " << a[i].id;
        EXPECT_EQ(a[i].steps, b[i].steps) << what;
        EXPECT_EQ(a[i].path, b[i].path) << what;
        EXPECT_EQ(a[i].inside, b[i].inside) << what;
    }
}

std::vector<seed> all_seeds(weft::flow const& flow, std::string const& text) {
    std::vector<seed> const mine = weft::make_seeds(weft_test::world(), flow, text, 3);
    weft::outbox<seed> out(weft_test::world());
    for (int to = 0; to < weft_test::size(); ++to) out[to].append(std::span(mine));
    return weft::exchange(std::move(out)).concatenate();
}

trace_options options_of(trace_method method, double step) {
    trace_options options{.method = method};
    options.rule = {.step = step, .max_steps = 150, .tolerance = 1e-5, .min_step = 1e-4};
    return options;
}

} // namespace

// Steps of a quarter of a cell, and of three cells: these need the values of other blocks in their middle.
TEST(tracer, ends_do_not_depend_on_ranks_blocks_threads_or_engine) {
    formula_flow const flow = swirls();
    std::vector<seed> const seeds = all_seeds(flow, "box:6,5,3");
    std::vector<seed> mine;
    for (seed const& each : seeds)
        if (each.id % weft_test::size() == weft_test::rank()) mine.push_back(each);
    for (trace_method const method : {trace_method::rk4, trace_method::rk45})
        for (double const step : {0.1, 1.5}) {
            trace_options options = options_of(method, step);
            auto const expected = method == trace_method::rk4
                                      ? serially<weft::rk4>(flow, seeds, options.rule)
                                      : serially<weft::rk45>(flow, seeds, options.rule);
            for (weft::tracer_options const& cut :
                {weft::tracer_options{1, 1, 1}, {2, 0, 1}, {7, 1, 2}, {24, 0, 1, true}, {24, 1, 1}}) {
                tracer with(weft_test::world(), flow, cut);
                for (trace_engine const engine : {trace_engine::exchange, trace_engine::iexchange}) {
                    options.engine = engine;
                    auto const found = with.trace(mine, options);
                    expect_equal(on_all_ranks(found.ends), expected,
                        std::to_string(cut.blocks) + " blocks, " + std::to_string(cut.ghosts) +
                            " ghosts, step " + std::to_string(step));
                }
            }
        }
}

// x closes after 6, y after 4: what goes round in the field goes straight on in three periods of it.
TEST(tracer, periodic_axes_go_on_where_they_begin) {
    constexpr double turn = 2 * std::numbers::pi;
    auto const of = [](vector3 const& at, double) -> vector3 {
        return {1 + 0.5 * std::sin(turn * at[1] / 4), -0.4 + 0.3 * std::cos(turn * at[0] / 6),
            0.1 * std::sin(turn * (at[0] / 6 + at[1] / 4))};
    };
    formula_flow const flow(
        even_points(0, 6, 13), even_points(0, 4, 9), even_points(-2, 2, 5), of, {0}, {6, 4, 0});
    formula_flow const unrolled(
        even_points(-24, 30, 109), even_points(-20, 16, 73), even_points(-2, 2, 5), of);
    std::vector<seed> seeds = all_seeds(flow, "box:4,3,2");
    seeds.push_back({24, {-5.5, 6.5, 0.25}}); // brought in
    std::vector<seed> const mine = weft_test::rank() == 0 ? seeds : std::vector<seed>();
    for (trace_method const method : {trace_method::rk4, trace_method::rk45}) {
        trace_options options = options_of(method, 0.3);
        options.rule.max_steps = method == trace_method::rk4 ? 40 : 1000;
        options.rule.duration = 12;
        // Steps of rk45 follow errors near 0, so that a last bit makes others of them.
        double const near = method == trace_method::rk4 ? 1e-9 : 1e-3;
        auto expected = method == trace_method::rk4 ? serially<weft::rk4>(flow, seeds, options.rule)
                                                    : serially<weft::rk45>(flow, seeds, options.rule);
        auto const straight = method == trace_method::rk4
                                  ? serially<weft::rk4>(unrolled, seeds, options.rule)
                                  : serially<weft::rk45>(unrolled, seeds, options.rule);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            for (std::size_t d = 0; d < 3; ++d)
                EXPECT_NEAR(expected[i].place[d], straight[i].place[d], near) << i;
            EXPECT_EQ(expected[i].inside, 1);
            EXPECT_GT(expected[i].path, 6);
            expected[i].place = flow.domain()->wrapped(expected[i].place);
        }
        for (std::int64_t const blocks : {1, 7, 24}) {
            tracer with(weft_test::world(), flow, {.blocks = blocks});
            expect_equal(on_all_ranks(with.trace(mine, options).ends), expected, std::to_string(blocks));
        }
    }
}

TEST(tracer, totals_are_those_of_the_ends_and_the_same_for_any_decomposition) {
    formula_flow const flow = swirls();
    std::vector<seed> const seeds = all_seeds(flow, "random:2500");
    trace_options options = options_of(trace_method::rk4, 0.2);
    options.rule.max_steps = 20;
    auto const expected = serially<weft::rk4>(flow, seeds, options.rule);
    // Chunks of 1024, then pairs: see tracer.cpp.
    std::vector<double> sums(3);
    std::int64_t steps = 0;
    std::int64_t inside = 0;
    for (trace_end const& end : expected) {
        sums[static_cast<std::size_t>(end.id / 1024)] += end.path;
        steps += end.steps;
        inside += end.inside;
    }
    for (std::int64_t const blocks : {1, 5}) {
        tracer with(weft_test::world(), flow, {.blocks = blocks});
        auto const found = with.trace(
            weft_test::rank() == 0 ? std::span<seed const>(seeds) : std::span<seed const>(), options);
        EXPECT_EQ(found.totals.seeds, 2500);
        EXPECT_EQ(found.totals.steps, steps);
        EXPECT_EQ(found.totals.inside, inside);
        EXPECT_EQ(found.totals.mean_path, ((sums[0] + sums[1]) + sums[2]) / 2500);
    }
}

TEST(tracer, seeds_outside_have_left_and_no_seeds_are_no_error) {
    formula_flow const flow = swirls();
    tracer with(weft_test::world(), flow, {.blocks = 3});
    std::vector<seed> seeds;
    if (weft_test::rank() == weft_test::size() - 1)
        seeds = {{0, {-1, 2, 1}}, {1, {3, 2, 1}}, {2, {3, 2, std::nan("")}}};
    for (trace_engine const engine : {trace_engine::exchange, trace_engine::iexchange}) {
        trace_options options = options_of(trace_method::rk4, 0.01);
        options.engine = engine;
        options.rule.max_steps = 3;
        auto const found = with.trace(seeds, options);
        EXPECT_EQ(found.totals.seeds, 3);
        EXPECT_EQ(found.totals.inside, 1);
        EXPECT_EQ(found.totals.steps, 3);
        auto const ends = on_all_ranks(found.ends);
        EXPECT_EQ(ends[0].place, (vector3{-1, 2, 1}));
        EXPECT_EQ(ends[0].inside, 0);
        EXPECT_EQ(ends[1].inside, 1);
        auto const none = with.trace({}, options);
        EXPECT_EQ(none.totals.seeds, 0);
        EXPECT_EQ(none.totals.mean_path, 0);
        EXPECT_TRUE(none.ends.empty());
    }
}

TEST(tracer, lines_are_the_places_of_every_step) {
    formula_flow const flow = swirls();
    trace_options options = options_of(trace_method::rk4, 0.2);
    options.lines = true;
    options.rule.max_steps = 40;
    std::vector<seed> const seeds = all_seeds(flow, "box:4,4,2");
    for (trace_method const method : {trace_method::rk4, trace_method::rk45}) {
        options.method = method;
        for (std::int64_t const blocks : {1, 9}) {
            tracer with(weft_test::world(), flow, {.blocks = blocks, .ghosts = 0});
            auto const found = with.trace(
                weft_test::rank() == 0 ? std::span<seed const>(seeds) : std::span<seed const>(), options);
            weft::line_set const all = weft::gather_lines(weft_test::world(), found.lines, 1 << 20);
            auto const ends = on_all_ranks(found.ends);
            if (weft_test::rank() != 0) {
                EXPECT_TRUE(all.seeds.empty());
                continue;
            }
            for (std::size_t line = 0; line < all.seeds.size(); ++line) {
                trace_end const& end = ends[static_cast<std::size_t>(all.seeds[line])];
                std::int64_t const first = all.begin_of(line);
                EXPECT_EQ(all.ends[line] - first, end.steps + 1);
                auto const& start = all.points[static_cast<std::size_t>(first)];
                auto const& last = all.points[static_cast<std::size_t>(all.ends[line] - 1)];
                for (std::size_t d = 0; d < 3; ++d) {
                    EXPECT_EQ(start.place[d], static_cast<float>(end.seed[d]));
                    EXPECT_EQ(last.place[d], static_cast<float>(end.place[d]));
                }
            }
            std::size_t const moved = static_cast<std::size_t>(
                std::count_if(ends.begin(), ends.end(), [](trace_end const& end) { return end.steps > 0; }));
            EXPECT_EQ(all.seeds.size(), moved);
        }
    }
}

TEST(tracer, rules_that_cannot_be_are_refused_on_all_ranks) {
    formula_flow const flow = swirls();
    tracer with(weft_test::world(), flow, {.blocks = 2});
    trace_options options = options_of(trace_method::rk4, 0);
    EXPECT_THROW((void)with.trace({}, options), weft::usage_error);
    options.rule.step = 1;
    options.rule.max_steps = -1;
    EXPECT_THROW((void)with.trace({}, options), weft::usage_error);
    options = options_of(trace_method::rk45, 1);
    options.rule.tolerance = 0;
    EXPECT_THROW((void)with.trace({}, options), weft::usage_error);
}

TEST(tracer, takes_fewer_blocks_where_the_cells_cannot_be_cut_so) {
    formula_flow const cube(
        even_points(0, 2, 3), even_points(0, 2, 3), even_points(0, 2, 3), weft_test::helix);
    for (auto const& [wanted, made] : {std::pair{7, 4}, {8, 8}, {1 << 20, 8}, {3, 2}, {1, 1}})
        EXPECT_EQ(tracer(weft_test::world(), cube, {.blocks = wanted}).grid().blocks(), made) << wanted;
}

TEST(tracer, the_greatest_speed_is_that_of_any_block) {
    formula_flow const flow(even_points(0, 1, 9), even_points(0, 1, 3), even_points(0, 1, 3),
        [](vector3 const& at, double) -> vector3 {
            return {0, at[0] == 1 ? -7.0 : 1.0, 0};
        });
    for (std::int64_t const blocks : {1, 8}) {
        tracer with(weft_test::world(), flow, {.blocks = blocks});
        EXPECT_EQ(with.greatest_speed(), 7);
    }
}

// 2 x 2 x 2 blocks of a cube of 8 cells: the two on the diagonal are slow.
TEST(tracer, the_synthetic_flow_is_slow_on_the_diagonal) {
    weft::synthetic_flow const flow({.fast = 4, .slow = 1, .n = 8});
    tracer with(weft_test::world(), flow, {.blocks = 8});
    std::vector<seed> const mine =
        weft_test::rank() == 0 ? std::vector<seed>{{0, {0, 1, 1}}, {1, {0, 6, 1}}} : std::vector<seed>{};
    trace_options options;
    options.rule = {.step = 0.125};
    auto const ends = on_all_ranks(with.trace(mine, options).ends);
    EXPECT_EQ(ends[1].steps, 16); // of 0.5: the end of the domain is inside
    EXPECT_GT(ends[0].steps, 2 * 16);
    EXPECT_EQ(with.greatest_speed(), 4);
}
