#include <weft/blocks/box.hpp>

#include <harness/mpi_test.hpp>

using weft::box;
using weft::contains;
using weft::touch;

TEST(box, contains_its_lower_end_and_not_its_upper_one) {
    box<double> const unit{2, {0, 0}, {1, 2}};
    EXPECT_TRUE(contains(unit, {0, 0}));
    EXPECT_TRUE(contains(unit, {0.999, 1.999}));
    EXPECT_FALSE(contains(unit, {1, 1}));
    EXPECT_FALSE(contains(unit, {0.5, 2}));
    EXPECT_FALSE(contains(unit, {-0.001, 1}));
    EXPECT_FALSE(contains(box<double>{1, {3}, {3}}, {3}));
}

TEST(box, touches_in_corners_and_ignores_dimensions_that_are_not_in_use) {
    box<double> const unit{2, {0, 0, 7}, {1, 1, 7}};
    EXPECT_TRUE(touch(unit, box<double>{2, {1, 1}, {2, 2}}));
    EXPECT_TRUE(touch(box<double>{2, {1, 1}, {2, 2}}, unit));
    EXPECT_TRUE(touch(unit, unit));
    EXPECT_FALSE(touch(unit, box<double>{2, {1.5, 0}, {2, 1}}));
    EXPECT_FALSE(touch(box<double>{2, {1.5, 0}, {2, 1}}, unit));
    EXPECT_EQ(unit, unit);
    EXPECT_NE(unit, (box<double>{2, {0, 0}, {1, 1}}));
}
