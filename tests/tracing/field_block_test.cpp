/// Velocities between the points of a field.
#include <tracing/field_block.hpp>

#include "formula_flow.hpp"

#include <harness/mpi_test.hpp>

#include <cmath>
#include <random>

using weft::flow_cursor;
using weft::vector3;
using weft_test::even_points;
using weft_test::formula_flow;

namespace {

vector3 wild(vector3 const& at, double time) {
    return {std::sin(9 * at[0] + at[1]), std::cos(5 * at[1] * at[2]) + time, at[0] - 7 * at[2] * time};
}

/// The trilinear formula with weights, at one step.
vector3 by_hand(weft::field_block const& field, vector3 const& at, std::size_t step) {
    auto const& axes = field.domain().axes;
    auto const cell = field.domain().cell_of(at);
    vector3 sum{};
    for (unsigned corner = 0; corner < 8; ++corner) {
        double weight = 1;
        weft::coordinates<std::int64_t> point = cell;
        for (std::size_t d = 0; d < 3; ++d) {
            auto const lower = static_cast<std::size_t>(cell[d]);
            double const part = axes[d].points().size() == 1
                                    ? 0
                                    : (at[d] - axes[d].points()[lower]) /
                                          (axes[d].points()[lower + 1] - axes[d].points()[lower]);
            bool const upper = (corner >> d & 1) != 0;
            weight *= upper ? part : 1 - part;
            if (upper && axes[d].points().size() > 1) ++point[d];
        }
        vector3 const v = field.at(step, point);
        for (std::size_t d = 0; d < 3; ++d) sum[d] += weight * v[d];
    }
    return sum;
}

double difference(vector3 const& a, vector3 const& b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

vector3 anywhere(weft::flow_domain const& domain, std::mt19937_64& random) {
    vector3 at{};
    for (std::size_t d = 0; d < 3; ++d)
        at[d] = std::uniform_real_distribution<double>(domain.axes[d].lo(), domain.axes[d].hi())(random);
    return at;
}

} // namespace

TEST(field_block, velocities_are_trilinear_and_linear_in_time) {
    formula_flow const flow({0, 0.1, 0.5, 2}, even_points(-1, 1, 6), {3, 3.5, 3.6}, wild, {1, 2, 4});
    weft::field_block const field = flow.whole();
    flow_cursor cursor(field);
    auto random = weft_test::random();
    for (int i = 0; i < 300; ++i) {
        vector3 const at = anywhere(*flow.domain(), random);
        double const time = std::uniform_real_distribution<double>(1, 4)(random);
        vector3 v{};
        ASSERT_EQ(cursor.velocity(at, time, v), flow_cursor::found::here);
        std::size_t const step = time < 2 ? 0 : 1;
        double const part = step == 0 ? time - 1 : (time - 2) / 2;
        vector3 const before = by_hand(field, at, step);
        vector3 const after = by_hand(field, at, step + 1);
        vector3 expected{};
        for (std::size_t d = 0; d < 3; ++d) expected[d] = (1 - part) * before[d] + part * after[d];
        EXPECT_LT(difference(v, expected), 1e-12);
    }
}

TEST(field_block, points_of_the_grid_have_their_values) {
    formula_flow const flow({0, 0.1, 0.5, 2}, even_points(-1, 1, 6), {3}, wild);
    weft::field_block const field = flow.whole();
    flow_cursor cursor(field);
    for (std::int64_t y = 0; y < 6; ++y)
        for (std::int64_t x = 0; x < 4; ++x) {
            vector3 const at{flow.domain()->axes[0].points()[static_cast<std::size_t>(x)],
                flow.domain()->axes[1].points()[static_cast<std::size_t>(y)], 3};
            vector3 v{};
            ASSERT_EQ(cursor.velocity(at, 0, v), flow_cursor::found::here);
            EXPECT_LT(difference(v, wild(at, 0)), 1e-14);
        }
}

TEST(field_block, says_what_is_outside_and_what_another_block_has) {
    formula_flow const flow(even_points(0, 8, 9), even_points(0, 1, 2), even_points(0, 1, 2), wild, {0, 1});
    weft::box<std::int64_t> points = flow.domain()->points_around(flow.domain()->cells());
    points.hi[0] = 4; // the cells 0, 1 and 2
    weft::field_block const part = flow.read(points, flow.cut_into(1));
    flow_cursor cursor(part);
    vector3 v{};
    EXPECT_EQ(cursor.velocity({2.9, 0.5, 0.5}, 0, v), flow_cursor::found::here);
    EXPECT_EQ(cursor.velocity({3, 0.5, 0.5}, 0, v), flow_cursor::found::elsewhere);
    EXPECT_EQ(cursor.velocity({-1e-9, 0.5, 0.5}, 0, v), flow_cursor::found::outside);
    EXPECT_EQ(cursor.velocity({1, 0.5, std::nan("")}, 0, v), flow_cursor::found::outside);
    EXPECT_EQ(cursor.velocity({1, 0.5, 0.5}, 1, v), flow_cursor::found::here);
    EXPECT_EQ(cursor.velocity({1, 0.5, 0.5}, 1.01, v), flow_cursor::found::too_late);
    EXPECT_EQ(cursor.velocity({2.9, 1, 1}, 0.5, v), flow_cursor::found::here);
}

TEST(field_block, velocities_do_not_depend_on_the_block) {
    formula_flow const flow(even_points(0, 2, 9), even_points(0, 1, 5), even_points(-1, 0, 6), wild);
    weft::field_block const whole = flow.whole();
    weft::field_block const part = flow.read({3, {2, 1, 2}, {6, 4, 5}}, flow.cut_into(1));
    flow_cursor of_whole(whole);
    flow_cursor of_part(part);
    auto random = weft_test::random();
    int compared = 0;
    for (int i = 0; i < 500; ++i) {
        vector3 const at = anywhere(*flow.domain(), random);
        vector3 a{};
        vector3 b{};
        ASSERT_EQ(of_whole.velocity(at, 0, a), flow_cursor::found::here);
        if (of_part.velocity(at, 0, b) != flow_cursor::found::here) continue;
        ++compared;
        EXPECT_EQ(a, b);
    }
    EXPECT_GT(compared, 5);
}
