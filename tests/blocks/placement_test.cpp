#include <weft/blocks/placement.hpp>

#include <gtest/gtest.h>

namespace {

using three_reals = std::array<double, 3>;

// The axes of the grid: y of the world, then against x, then up, twice as long.
weft::placement const turned_grid{{10, 20, 30}, {{{0, -1, 0}, {1, 0, 0}, {0, 0, 2}}}};

TEST(Placement, ChangesNothingWhereNoneIsSet) {
    weft::placement const plain;
    EXPECT_FALSE(plain.moves());
    EXPECT_EQ(plain.to_world({1, -2, 3.5}), (three_reals{1, -2, 3.5}));
    EXPECT_EQ(plain.determinant(), 1);
    EXPECT_TRUE(plain.keeps_lengths());
}

TEST(Placement, TakesColumnsAsTheDirectionsOfAxes) {
    EXPECT_TRUE(turned_grid.moves());
    EXPECT_EQ(turned_grid.to_world({1, 0, 0}), (three_reals{10, 21, 30}));
    EXPECT_EQ(turned_grid.to_world({0, 1, 0}), (three_reals{9, 20, 30}));
    EXPECT_EQ(turned_grid.to_world({0, 0, 1}), (three_reals{10, 20, 32}));
}

TEST(Placement, FindsTheWayBack) {
    weft::placement const sheared{{1, 2, 3}, {{{2, 1, 0.5}, {0.25, 3, -1}, {-0.5, 0.125, 4}}}};
    for (weft::placement const& each : {turned_grid, sheared}) {
        three_reals const there = each.to_world({1.5, -2.5, 7});
        three_reals const back = each.inverse().to_world(there);
        EXPECT_NEAR(back[0], 1.5, 1e-12);
        EXPECT_NEAR(back[1], -2.5, 1e-12);
        EXPECT_NEAR(back[2], 7, 1e-12);
    }
}

TEST(Placement, KnowsMirrorsAndLengths) {
    EXPECT_EQ(turned_grid.determinant(), 2);
    EXPECT_FALSE(turned_grid.keeps_lengths());
    weft::placement mirrored;
    mirrored.matrix[0][0] = -1;
    EXPECT_EQ(mirrored.determinant(), -1);
    EXPECT_TRUE(mirrored.keeps_lengths());
    mirrored.matrix[0][1] = 0.1;
    EXPECT_FALSE(mirrored.keeps_lengths());
}

} // namespace
