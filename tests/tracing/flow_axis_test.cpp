/// The cells of an axis.
#include <tracing/flow_axis.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <cmath>
#include <limits>
#include <random>

using weft::flow_axis;

namespace {
/// By looking at every cell.
std::int64_t cell_by_hand(std::vector<double> const& points, double x) {
    for (std::size_t i = 0; i + 2 < points.size(); ++i)
        if (x < points[i + 1]) return static_cast<std::int64_t>(i);
    return static_cast<std::int64_t>(points.size()) - 2;
}
} // namespace

TEST(flow_axis, finds_the_cell_of_any_coordinate) {
    auto random = weft_test::random();
    std::uniform_real_distribution<double> width(1e-3, 1);
    for (bool const even : {false, true}) {
        std::vector<double> points{-2};
        for (int i = 0; i < 40; ++i) points.push_back(points.back() + (even ? 0.1 : width(random)));
        flow_axis const axis(points);
        std::vector<double> asked = points;
        for (double const point : points)
            for (double const to : {-1e9, 1e9})
                if (double const near = std::nextafter(point, to); axis.holds(near)) asked.push_back(near);
        std::uniform_real_distribution<double> anywhere(axis.lo(), axis.hi());
        for (int i = 0; i < 200; ++i) asked.push_back(anywhere(random));
        for (double const x : asked) {
            std::int64_t const cell = axis.cell_of(x);
            ASSERT_EQ(cell, cell_by_hand(points, x)) << x;
            EXPECT_LE(axis.begin(cell), x);
            EXPECT_LT(x, axis.end(cell));
            double const part = (x - axis.begin(cell)) * axis.scale(cell);
            EXPECT_GE(part, 0);
            EXPECT_LE(part, 1 + 1e-12);
        }
    }
}

TEST(flow_axis, one_point_is_a_cell_of_no_width) {
    flow_axis const axis({7});
    EXPECT_EQ(axis.cells(), 1);
    EXPECT_TRUE(axis.holds(7));
    EXPECT_FALSE(axis.holds(std::nextafter(7, 8)));
    EXPECT_EQ(axis.cell_of(7), 0);
    EXPECT_EQ(axis.scale(0), 0);
    EXPECT_EQ(axis.least_width(), 0);
}

TEST(flow_axis, holds_no_nan) {
    EXPECT_FALSE(flow_axis({0, 1}).holds(std::numeric_limits<double>::quiet_NaN()));
}

TEST(flow_axis, refuses_points_that_do_not_ascend) {
    EXPECT_THROW(flow_axis({}), weft::usage_error);
    EXPECT_THROW(flow_axis({0, 1, 1}), weft::usage_error);
    EXPECT_THROW(flow_axis({0, 2, 1}), weft::usage_error);
    EXPECT_THROW(flow_axis({0, std::numeric_limits<double>::quiet_NaN()}), weft::usage_error);
}
