#include <labelling/row_runs.hpp>

#include "volume_rig.hpp"

#include <cmath>
#include <limits>

using weft::foreground_rule;
using weft::value_type;

namespace {

/// Which of the values are in runs, of rows of `width`.
template <class T>
std::vector<bool> inside(
    std::vector<T> const& values, value_type type, foreground_rule const& rule, std::int64_t width = 0) {
    auto const count = static_cast<std::int64_t>(values.size());
    if (width == 0) width = count;
    weft::row_runs const found =
        weft::find_runs(std::as_bytes(std::span(values)), type, {3, {}, {width, count / width, 1}}, rule);
    std::vector<bool> marked(values.size());
    std::int64_t voxels = 0;
    for (std::size_t row = 0; row < found.rows(); ++row) {
        std::int32_t behind = -1;
        for (std::size_t run = found.first[row]; run < found.first[row + 1]; ++run) {
            EXPECT_GT(found.runs[run].begin, behind) << "runs that touch are one";
            EXPECT_LT(found.runs[run].begin, found.runs[run].end);
            for (std::int32_t x = found.runs[run].begin; x < found.runs[run].end; ++x)
                marked[row * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] = true;
            behind = found.runs[run].end;
            voxels += found.runs[run].end - found.runs[run].begin;
        }
        EXPECT_LE(behind, width);
    }
    EXPECT_EQ(voxels, voxels_of(found));
    return marked;
}

} // namespace

TEST(row_runs, rows_of_all_lengths) {
    std::mt19937_64 random = weft_test::random();
    for (std::int64_t const width : {1, 2, 7, 63, 64, 65, 127, 128, 129, 200})
        for (unsigned const percent : {0U, 10U, 50U, 95U, 100U}) {
            weft_test::volume const made = weft_test::random_volume({width, 3, 1}, percent, random);
            std::vector<bool> expected;
            for (std::uint8_t const each : made.values) expected.push_back(each != 0);
            EXPECT_EQ(
                inside(made.values, value_type::uint8, {.threshold = 0.5, .missing = {}}, width), expected)
                << width << ", " << percent << " %";
        }
}

TEST(row_runs, the_threshold_itself_is_foreground) {
    EXPECT_EQ(inside<std::uint8_t>({0, 89, 90, 255}, value_type::uint8, {89.5, {}}),
        (std::vector<bool>{false, false, true, true}));
    EXPECT_EQ(inside<std::uint8_t>({0, 89, 90, 255}, value_type::uint8, {90, {}}),
        (std::vector<bool>{false, false, true, true}));
    EXPECT_EQ(inside<std::int16_t>({-3, -2, -1, 0}, value_type::int16, {-2.5, {}}),
        (std::vector<bool>{false, true, true, true}));
    // 25.05 is no value of float32; the nearest one stands for it.
    EXPECT_EQ(inside<float>({25.0F, 25.05F, 26.0F}, value_type::float32, {25.05, {}}),
        (std::vector<bool>{false, true, true}));
    EXPECT_EQ(inside<double>({25.05, std::nextafter(25.05, 0.0)}, value_type::float64, {25.05, {}}),
        (std::vector<bool>{true, false}));
}

TEST(row_runs, thresholds_beyond_a_type) {
    std::vector<std::uint8_t> const values{0, 255};
    double const infinite = std::numeric_limits<double>::infinity();
    for (double const threshold : {-infinite, -1e300, -0.5, 0.0})
        EXPECT_EQ(inside(values, value_type::uint8, {threshold, {}}), std::vector<bool>(2, true))
            << threshold;
    for (double const threshold : {255.5, 1e300, infinite, std::nan("")})
        EXPECT_EQ(inside(values, value_type::uint8, {threshold, {}}), std::vector<bool>(2, false))
            << threshold;
    EXPECT_EQ(inside<float>({1, 2}, value_type::float32, {std::nan(""), {}}), std::vector<bool>(2, false));
}

TEST(row_runs, missing_values_are_background) {
    float const none = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(inside<float>({none, 5, 99, 4}, value_type::float32, {5, 99.0}),
        (std::vector<bool>{false, true, false, false}));
    EXPECT_EQ(inside<float>({0.1F, 5}, value_type::float32, {0, 0.1}), (std::vector<bool>{false, true}));
    EXPECT_EQ(inside<std::uint8_t>({7, 8}, value_type::uint8, {0, 7.0}), (std::vector<bool>{false, true}));
    for (double const never : {7.5, 300.0, -1.0, std::nan("")})
        EXPECT_EQ(inside<std::uint8_t>({7, 44}, value_type::uint8, {0, never}), std::vector<bool>(2, true));
}

TEST(row_runs, a_range_has_its_least_value_and_not_its_end) {
    EXPECT_EQ(inside<std::uint8_t>({3, 4, 8, 9}, value_type::uint8, {.threshold = 4, .below = 9}),
        (std::vector<bool>{false, true, true, false}));
    EXPECT_EQ(inside<std::int16_t>({-3, -2, 8, 9}, value_type::int16, {.threshold = -2.5, .below = 8.5}),
        (std::vector<bool>{false, true, true, false}));
    EXPECT_EQ(inside<float>({1, 25.05F, std::nextafter(25.05F, 0.0F)}, value_type::float32,
                  {.threshold = 2, .below = 25.05}),
        (std::vector<bool>{false, false, true}));
    EXPECT_EQ(inside<std::uint8_t>({4, 5, 6}, value_type::uint8, {.threshold = 4, .missing = 5, .below = 6}),
        (std::vector<bool>{true, false, false}));
    double const infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(
        inside<float>({std::nanf(""), -1e30F, 3}, value_type::float32, {.threshold = -infinite, .below = 3}),
        (std::vector<bool>{false, true, false}));
    for (double const nothing : {-infinite, -1.0, 0.0, std::nan("")})
        EXPECT_EQ(inside<std::uint8_t>({0, 255}, value_type::uint8, {.threshold = -5, .below = nothing}),
            std::vector<bool>(2, false))
            << nothing;
    for (double const all : {256.0, 1e300, infinite})
        EXPECT_EQ(inside<std::uint8_t>({0, 255}, value_type::uint8, {.threshold = -5, .below = all}),
            std::vector<bool>(2, true))
            << all;
}

TEST(row_runs, integers_of_64_bits) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(inside<std::int64_t>({-most - 1, 0, most}, value_type::int64, {.threshold = 1}),
        (std::vector<bool>{false, false, true}));
    EXPECT_EQ(
        inside<std::int64_t>({most}, value_type::int64, {.threshold = 0x1p63}), std::vector<bool>{false});
    EXPECT_EQ(inside<std::int64_t>({-most - 1}, value_type::int64, {.threshold = -0x1p63}),
        std::vector<bool>{true});
    EXPECT_EQ(inside<std::uint64_t>(
                  {0, ~std::uint64_t{}}, value_type::uint64, {.threshold = 0x1p63, .below = 0x1p64}),
        (std::vector<bool>{false, true}));
}
