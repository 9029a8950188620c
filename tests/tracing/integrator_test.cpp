/// Runge-Kutta methods on flows with known paths.
#include <tracing/integrator.hpp>

#include "formula_flow.hpp"

#include <harness/mpi_test.hpp>

#include <cmath>
#include <numbers>

using weft::particle;
using weft::particle_at;
using weft::rk4;
using weft::rk45;
using weft::trace_outcome;
using weft::trace_rule;
using weft::vector3;
using weft_test::even_points;
using weft_test::formula_flow;

namespace {

formula_flow turning() {
    return {even_points(-2, 2, 5), even_points(-2, 2, 5), even_points(0, 2, 3), weft_test::helix};
}

/// The distance to where the helix is.
template <class Method>
double miss(particle<Method> const& p) {
    double const t = p.time;
    return std::hypot(p.place[0] - std::cos(t), p.place[1] - std::sin(t), p.place[2] - 0.1 * t);
}

double miss_of_rk4(int steps) {
    weft::field_block const field = turning().whole();
    trace_rule const rule{.step = 2 / static_cast<double>(steps), .max_steps = steps};
    weft::particle_steps<rk4> with(field, rule, nullptr);
    auto p = particle_at<rk4>(0, {1, 0, 0}, rule);
    EXPECT_EQ(with.advance(p), trace_outcome::ended);
    EXPECT_EQ(p.steps, steps);
    EXPECT_NEAR(p.time, 2, 1e-12);
    return miss(p);
}

} // namespace

TEST(integrator, rk4_is_of_order_4) {
    double const order = std::log2(miss_of_rk4(20) / miss_of_rk4(40));
    EXPECT_NEAR(order, 4, 0.1);
}

TEST(integrator, rk45_keeps_to_its_tolerance_with_few_steps) {
    weft::field_block const field = turning().whole();
    double last = 1;
    for (double const tolerance : {1e-4, 1e-7, 1e-10}) {
        trace_rule const rule{
            .step = 0.01, .duration = 5, .tolerance = tolerance, .min_step = 1e-9, .max_step = 1};
        weft::particle_steps<rk45> with(field, rule, nullptr);
        auto p = particle_at<rk45>(0, {1, 0, 0}, rule);
        EXPECT_EQ(with.advance(p), trace_outcome::ended);
        EXPECT_NEAR(p.time, 5, 1e-9);
        EXPECT_LT(miss(p), 100 * tolerance);
        EXPECT_LT(miss(p), last / 20);
        EXPECT_LT(p.steps, 300);
        EXPECT_NEAR(p.path, 5 * std::hypot(1, 0.1), 0.1); // of chords
        last = miss(p);
    }
}

TEST(integrator, backward_goes_back) {
    weft::field_block const field = turning().whole();
    trace_rule rule{.step = 0.01, .max_steps = 100};
    auto p = particle_at<rk4>(0, {1, 0, 0.5}, rule);
    (void)weft::particle_steps<rk4>(field, rule, nullptr).advance(p);
    rule.step = -rule.step;
    auto back = particle_at<rk4>(0, p.place, rule);
    (void)weft::particle_steps<rk4>(field, rule, nullptr).advance(back);
    EXPECT_NEAR(back.place[0], 1, 1e-9);
    EXPECT_NEAR(back.place[1], 0, 1e-9);
    EXPECT_NEAR(back.place[2], 0.5, 1e-9);
}

TEST(integrator, a_particle_that_leaves_keeps_its_last_place) {
    formula_flow const flow(even_points(0, 1, 3), even_points(0, 1, 3), even_points(0, 1, 3),
        [](vector3 const&, double) -> vector3 {
            return {1, 0, 0};
        });
    weft::field_block const field = flow.whole();
    trace_rule const rule{.step = 0.3, .tolerance = 1e-6, .min_step = 1e-6};
    auto p = particle_at<rk4>(0, {0, 0.5, 0.5}, rule);
    EXPECT_EQ((weft::particle_steps<rk4>(field, rule, nullptr).advance(p)), trace_outcome::left);
    EXPECT_EQ(p.steps, 3);
    EXPECT_NEAR(p.place[0], 0.9, 1e-12);
    EXPECT_NEAR(p.path, 0.9, 1e-12);
    auto close = particle_at<rk45>(0, {0, 0.5, 0.5}, rule);
    EXPECT_EQ((weft::particle_steps<rk45>(field, rule, nullptr).advance(close)), trace_outcome::left);
    EXPECT_GT(close.place[0], 1 - 1e-5);
    EXPECT_LE(close.place[0], 1);
}

TEST(integrator, where_nothing_moves_a_particle_makes_all_its_steps) {
    formula_flow const flow(even_points(0, 1, 2), even_points(0, 1, 2), even_points(0, 1, 2),
        [](vector3 const&, double) -> vector3 {
            return {0, 0, 0};
        });
    weft::field_block const field = flow.whole();
    trace_rule const rule{.step = 1, .max_steps = 17, .tolerance = 1, .min_step = 1e-6};
    auto p = particle_at<rk4>(0, {0.5, 0.5, 0.5}, rule);
    EXPECT_EQ((weft::particle_steps<rk4>(field, rule, nullptr).advance(p)), trace_outcome::ended);
    EXPECT_EQ(p.steps, 17);
    EXPECT_EQ(p.path, 0);
    auto q = particle_at<rk45>(0, {0.5, 0.5, 0.5}, rule);
    EXPECT_EQ((weft::particle_steps<rk45>(field, rule, nullptr).advance(q)), trace_outcome::ended);
    EXPECT_EQ(q.steps, 17);
}

// Velocity linear in place and time is what the field is between its points: only the method errs.
TEST(integrator, pathlines_follow_a_field_that_changes) {
    formula_flow const flow(even_points(-9, 9, 4), even_points(-9, 9, 3), even_points(-9, 9, 3),
        [](vector3 const&, double time) -> vector3 {
            return {time, 2 - 3 * time, 1};
        },
        {1, 1.5, 3});
    weft::field_block const field = flow.whole();
    trace_rule const rule{
        .step = 0.05, .max_steps = 1000, .start_time = 1, .tolerance = 1e-9, .min_step = 1e-9};
    auto const check = [](auto const& p, trace_outcome outcome, double end) {
        EXPECT_EQ(outcome, trace_outcome::ended); // inside, when there are no more steps of the field
        EXPECT_NEAR(p.time, end, 1e-6);
        double const t = p.time;
        EXPECT_NEAR(p.place[0], (t * t - 1) / 2, 1e-12);
        EXPECT_NEAR(p.place[1], 2 * (t - 1) - 1.5 * (t * t - 1), 1e-12);
        EXPECT_NEAR(p.place[2], t - 1, 1e-12);
    };
    auto p = particle_at<rk4>(0, {0, 0, 0}, rule);
    auto const outcome = weft::particle_steps<rk4>(field, rule, nullptr).advance(p);
    EXPECT_GE(p.steps, 39);
    check(p, outcome, 1 + 0.05 * static_cast<double>(p.steps));
    auto q = particle_at<rk45>(0, {0, 0, 0}, rule);
    auto const other = weft::particle_steps<rk45>(field, rule, nullptr).advance(q);
    check(q, other, 3);
}

TEST(integrator, rk45_ends_where_nothing_moves) {
    formula_flow const flow(even_points(0, 1, 3), even_points(0, 1, 3), even_points(0, 1, 3),
        [](vector3 const&, double) -> vector3 {
            return {0, 0, 0};
        });
    weft::field_block const field = flow.whole();
    trace_rule const rule{.step = 1, .tolerance = 1e-6, .min_step = 1e-6};
    auto p = particle_at<rk45>(0, {0.25, 0.5, 0.5}, rule);
    EXPECT_EQ((weft::particle_steps<rk45>(field, rule, nullptr).advance(p)), trace_outcome::ended);
    EXPECT_EQ(p.place, (vector3{0.25, 0.5, 0.5}));
}

TEST(integrator, a_velocity_that_is_no_number_is_outside) {
    formula_flow const flow(even_points(0, 4, 5), even_points(0, 1, 2), even_points(0, 1, 2),
        [](vector3 const& at, double) -> vector3 {
            return {at[0] > 2.5 ? std::nan("") : 1, 0, 0};
        });
    weft::field_block const field = flow.whole();
    trace_rule const rule{.step = 0.3, .tolerance = 1e-6, .min_step = 1e-3};
    auto p = particle_at<rk4>(0, {0, 0.5, 0.5}, rule);
    EXPECT_EQ((weft::particle_steps<rk4>(field, rule, nullptr).advance(p)), trace_outcome::left);
    EXPECT_NEAR(p.place[0], 1.8, 1e-12);
}
