#include <weft/frames/curves.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <vector>

using weft::global_id;

namespace {

/// All cells of a small grid by their keys; each key once.
template <std::size_t D, class Key>
std::vector<std::array<std::uint32_t, D>> cells_by_key(int bits, Key&& key) {
    std::uint32_t const side = std::uint32_t{1} << bits;
    std::size_t const count = D == 2 ? side * side : std::size_t{side} * side * side;
    std::vector<std::array<std::uint32_t, D>> cells(count);
    std::vector<int> seen(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::array<std::uint32_t, D> cell{};
        std::size_t rest = i;
        for (auto& coordinate : cell) {
            coordinate = static_cast<std::uint32_t>(rest % side);
            rest /= side;
        }
        auto const at = static_cast<std::size_t>(key(cell));
        if (at >= count) {
            ADD_FAILURE() << "key " << at << " of " << count;
            continue;
        }
        cells[at] = cell;
        ++seen[at];
    }
    EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }));
    return cells;
}

template <std::size_t D>
void expect_a_path(int bits) {
    auto const cells =
        cells_by_key<D>(bits, [bits](auto const& cell) { return weft::hilbert_key<D>(cell, bits); });
    for (std::size_t i = 1; i < cells.size(); ++i) {
        int steps = 0;
        for (std::size_t axis = 0; axis < D; ++axis)
            steps += std::abs(static_cast<int>(cells[i][axis]) - static_cast<int>(cells[i - 1][axis]));
        EXPECT_EQ(steps, 1) << "key " << i;
    }
}

} // namespace

TEST(curves, hilbert_visits_every_cell_once_by_single_steps) {
    for (int bits = 1; bits <= 6; ++bits) expect_a_path<2>(bits);
    for (int bits = 1; bits <= 4; ++bits) expect_a_path<3>(bits);
}

TEST(curves, morton_interleaves_bits) {
    EXPECT_EQ(weft::morton_key<2>({1, 0}), 2);
    EXPECT_EQ(weft::morton_key<2>({0, 3}), 5);
    EXPECT_EQ(weft::morton_key<3>({1, 0, 0}), 4);
    EXPECT_EQ(weft::morton_key<3>({7, 0, 2}), 4 + 32 + 256 + 8);
    (void)cells_by_key<2>(5, [](auto const& cell) { return weft::morton_key<2>(cell); });
    (void)cells_by_key<3>(3, [](auto const& cell) { return weft::morton_key<3>(cell); });
}

TEST(curves, the_largest_cells_have_keys_that_are_ids) {
    std::uint32_t const last2 = (std::uint32_t{1} << 31) - 1;
    EXPECT_EQ(weft::morton_key<2>({last2, last2}), (global_id{1} << 62) - 1);
    std::uint32_t const last3 = (std::uint32_t{1} << 20) - 1;
    EXPECT_EQ(weft::morton_key<3>({last3, last3, last3}), (global_id{1} << 60) - 1);
    EXPECT_LT(weft::hilbert_key<2>({last2, 0}), global_id{1} << 62);
    EXPECT_LT(weft::hilbert_key<3>({last3, 0, last3}), global_id{1} << 60);
    EXPECT_EQ(weft::hilbert_key<3>({0, 0, 0}), 0);
}

TEST(curves, a_grid_takes_points_inside_and_out) {
    weft::curve_grid<2> const grid({-1, 0}, {1, 0.5});
    std::uint32_t const last = (std::uint32_t{1} << 31) - 1;
    EXPECT_EQ(grid.cell({-1, 0}), (std::array<std::uint32_t, 2>{0, 0}));
    EXPECT_EQ(grid.cell({1, 2}), (std::array<std::uint32_t, 2>{last, last}));
    EXPECT_EQ(grid.cell({0, 0.5})[0], std::uint32_t{1} << 30);
    EXPECT_EQ(grid.cell({-50, -50}), (std::array<std::uint32_t, 2>{0, 0}));
    weft::curve_grid<3> const point({2, 2, 2}, {2, 2, 2}); // no extent
    EXPECT_EQ(point.hilbert({2, 2, 2}), 0);
    double const most = std::numeric_limits<double>::max();
    weft::curve_grid<2> const all({-most, -most}, {most, most}); // whose side overflows
    EXPECT_EQ(
        all.cell({0, 0}), (std::array<std::uint32_t, 2>{std::uint32_t{1} << 30, std::uint32_t{1} << 30}));
}

TEST(curves, a_cube_may_be_as_large_or_as_small_as_doubles_are) {
    constexpr double most = std::numeric_limits<double>::max();
    for (double const half : {most, 1.0, 1e-305, 5e-324}) {
        weft::curve_grid<2> const grid({-half, 7e300}, {half, 7e300});
        std::uint32_t const end = std::uint32_t{1} << (weft::curve_bits<2> - 1);
        EXPECT_EQ(grid.cell({-half, 7e300})[0], 0U) << half;
        EXPECT_NEAR(grid.cell({0, 7e300})[0], end, 1) << half;
        EXPECT_EQ(grid.cell({half, 7e300})[0], 2 * end - 1) << half;
        EXPECT_EQ(grid.cell({half, 7e300})[1], 0U) << half;
    }
}
