#include "blocks/divisions.hpp"

#include <weft/blocks/regular_grid.hpp>
#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

using weft::box;
using weft::regular_grid;
using weft::usage_error;

using cells = std::int64_t;
using place = weft::coordinates<std::int64_t>;

TEST(divisions, blocks_are_as_cubic_as_their_number_allows) {
    auto const divisions = [](box<cells> const& domain, std::int64_t blocks) {
        return regular_grid(domain, blocks).divisions();
    };
    box<cells> const cube{3, {0, 0, 0}, {64, 64, 64}};
    EXPECT_EQ(divisions(cube, 64), (place{4, 4, 4, 1}));
    EXPECT_EQ(divisions(cube, 12), (place{3, 2, 2, 1}));
    EXPECT_EQ(divisions(cube, 36), (place{4, 3, 3, 1}));
    EXPECT_EQ(divisions(cube, 61), (place{61, 1, 1, 1}));
    EXPECT_EQ(divisions({3, {0, 0, 0}, {10, 10, 1000}}, 8), (place{1, 1, 8, 1}));
    EXPECT_EQ(divisions({2, {0, 0}, {100, 50}}, 8), (place{4, 2, 1, 1}));
    EXPECT_EQ(divisions({2, {0, 0}, {50, 100}}, 8), (place{2, 4, 1, 1}));
    EXPECT_EQ(divisions({4, {0, 0, 0, 0}, {9, 9, 9, 9}}, 81), (place{3, 3, 3, 3}));
    EXPECT_EQ(divisions({2, {0, 0}, {2, 100}}, 6), (place{1, 6, 1, 1}));
    // Extents decide what is possible: 9 does not fit along the first, 3 by 3 does not either.
    EXPECT_EQ(divisions({2, {0, 0}, {2, 9}}, 9), (place{1, 9, 1, 1}));
    box<double> const unit{3, {0, 0, 0}, {1, 1, 1}};
    EXPECT_EQ(regular_grid(unit, 48, {.divisions = {0, 0, 3}}).divisions(), (place{4, 4, 3, 1}));
    EXPECT_EQ(regular_grid(unit, {8, 4, 2}, {.ghosts = 0.1}).divisions(), (place{8, 4, 2, 1}));
    EXPECT_EQ(regular_grid(unit, 1000003).divisions(), (place{1000003, 1, 1, 1}));
    EXPECT_EQ(regular_grid(unit, std::int64_t{1} << 39).divisions(), (place{8192, 8192, 8192, 1}));
    // A flat domain is divided along what it has.
    EXPECT_EQ(regular_grid(box<double>{2, {0, 5}, {1, 5}}, 4).divisions(), (place{4, 1, 1, 1}));
}

TEST(divisions, chosen_divisions_have_the_least_surface_of_all) {
    auto random = weft_test::random();
    for (int round = 0; round < 100; ++round) {
        box<cells> domain{3};
        for (std::size_t d = 0; d < 3; ++d) domain.hi[d] = 1 + static_cast<cells>(random() % 40);
        auto const blocks = static_cast<cells>(1 + random() % 60);
        double least = 1e300;
        auto const surface = [&](cells x, cells y, cells z) {
            return double(x) / double(domain.hi[0]) + double(y) / double(domain.hi[1]) +
                   double(z) / double(domain.hi[2]);
        };
        for (cells x = 1; x <= domain.hi[0]; ++x)
            for (cells y = 1; y <= domain.hi[1]; ++y)
                for (cells z = 1; z <= domain.hi[2]; ++z)
                    if (x * y * z == blocks) least = std::min(least, surface(x, y, z));
        if (least < 1e300) {
            auto const found = regular_grid(domain, blocks).divisions();
            EXPECT_NEAR(surface(found[0], found[1], found[2]), least, 1e-9 * least);
        } else {
            EXPECT_THROW(regular_grid(domain, blocks), usage_error);
        }
    }
}
