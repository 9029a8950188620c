#include <weft/blocks/box.hpp>

#include <weft/blocks/regular_grid.hpp>
#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <concepts>

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

TEST(box, the_intersection_has_the_points_of_both) {
    weft::regular_grid const cells(weft::cell_box(10, 9), {3, 2}, {.ghosts = 1});
    for (std::int64_t a = 0; a < cells.blocks(); ++a)
        for (std::int64_t b = 0; b < cells.blocks(); ++b) {
            auto const ghosts = cells.bounds_with_ghosts(weft::block_id{a});
            auto const core = cells.bounds(weft::block_id{b});
            auto const both = weft::intersection(ghosts, core);
            for (std::int64_t x = 0; x < 10; ++x)
                for (std::int64_t y = 0; y < 9; ++y)
                    EXPECT_EQ(contains(both, {x, y}), contains(ghosts, {x, y}) && contains(core, {x, y}));
        }
    EXPECT_EQ(weft::intersection(box<double>{1, {0, 5}, {1, 6}}, box<double>{1, {0.5}, {3}}),
        (box<double>{1, {0.5, 5}, {1, 6}}));
}

TEST(box, domains_are_made_by_name) {
    EXPECT_EQ(weft::cell_box(96, 64, 2), (weft::box<std::int64_t>{3, {}, {96, 64, 2}}));
    EXPECT_EQ(weft::space_box({-1, 2}, {1, 2.5}), (weft::box<double>{2, {-1, 2}, {1, 2.5}}));
    EXPECT_EQ(weft::unit_box(3), (weft::box<double>{3, {}, {1, 1, 1}}));
    weft::regular_grid const cells(weft::cell_box(4, 6), {2, 3});
    static_assert(std::same_as<decltype(cells), weft::regular_grid<std::int64_t> const>);
    EXPECT_EQ(cells.blocks(), 6);
    weft::regular_grid const space{weft::unit_box(2), 4, {.wrap = true}};
    static_assert(std::same_as<decltype(space), weft::regular_grid<double> const>);
    EXPECT_EQ(space.divisions(), (weft::coordinates<std::int64_t>{2, 2, 1, 1}));
    EXPECT_THROW((void)weft::regular_grid(weft::unit_box(5), 1), weft::usage_error);
}
