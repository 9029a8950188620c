/// Histograms of grids against sorted lists.
#include <grids/values/value_histogram.hpp>

#include <grids/views/memory_grid.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

template <class T = float>
weft::value_histogram counted(
    weft::grid_shape shape, std::vector<T> const& values, weft::histogram_options const& options) {
    auto const kept = std::make_shared<std::vector<T>>(values);
    number_axes(shape);
    shape.type = std::is_same_v<T, float>         ? weft::value_type::float32
                 : std::is_same_v<T, std::int8_t> ? weft::value_type::int8
                                                  : weft::value_type::uint8;
    auto const source = weft::grid_in_memory(shape, std::as_bytes(std::span(*kept)), kept);
    return histogram_of(weft_test::world(), *source, options, [](std::string_view) {});
}

} // namespace

TEST(value_histogram, a_count_by_hand) {
    weft::grid_shape shape;
    shape.points = {4, 1, 2};
    shape.missing = -99;
    float const infinite = std::numeric_limits<float>::infinity();
    float const none = std::numeric_limits<float>::quiet_NaN();
    auto const found = counted<float>(
        shape, {0, 1, 2, 4, none, -99, infinite, 3}, {.bins = 4, .quantiles = {0, 0.5, 0.9, 1}});
    EXPECT_EQ(found.finite, 5);
    EXPECT_EQ(found.missing, 2);
    EXPECT_EQ(found.infinite, 1);
    EXPECT_EQ(found.least, 0);
    EXPECT_EQ(found.greatest, 4);
    EXPECT_EQ(found.mean, 2);
    EXPECT_EQ(found.counts, (std::vector<std::int64_t>{1, 1, 1, 2})); // the last edge belongs to its bin
    EXPECT_DOUBLE_EQ(found.entropy, 3 * 0.2 * std::log2(5) + 0.4 * std::log2(2.5));
    ASSERT_EQ(found.quantiles.size(), 4U);
    EXPECT_EQ(found.quantiles[0], 0);
    EXPECT_EQ(found.quantiles[1], 2);
    EXPECT_NEAR(found.quantiles[2], 3.6, 1e-12);
    EXPECT_EQ(found.quantiles[3], 4);
    auto const part =
        counted<float>(shape, {0, 1, 2, 4, none, -99, infinite, 3}, {.bins = 1, .range = {{1, 3}}});
    EXPECT_EQ(part.counts, std::vector<std::int64_t>{3});
    EXPECT_EQ(part.below, 1);
    EXPECT_EQ(part.above, 1);
    EXPECT_EQ(part.entropy, 0);
}

TEST(value_histogram, random_values_of_either_sign_against_a_sorted_list) {
    weft::grid_shape shape;
    shape.points = {7, 11, 13};
    auto random = weft_test::random();
    std::vector<float> values(7 * 11 * 13);
    std::normal_distribution<float> normal(0, 1000);
    for (float& each : values) each = std::round(normal(random)) / 8; // some of them equal
    std::vector<float> sorted = values;
    std::ranges::sort(sorted);
    std::vector<double> const shares{0, 0.013, 0.25, 0.5, 0.777, 1};
    for (std::int64_t const blocks : {1, 5, 13, 64}) {
        auto const found = counted(shape, values, {.bins = 37, .quantiles = shares, .blocks = blocks});
        EXPECT_EQ(found.least, static_cast<double>(sorted.front()));
        EXPECT_EQ(found.greatest, static_cast<double>(sorted.back()));
        double sum = 0; // exact: eighths
        for (float const each : values) sum += static_cast<double>(each);
        EXPECT_EQ(found.mean, sum / static_cast<double>(values.size()));
        for (std::size_t bin = 0; bin < found.counts.size(); ++bin) {
            bool const last = bin + 1 == found.counts.size();
            EXPECT_EQ(found.counts[bin], std::ranges::count_if(values, [&](float each) {
                auto const value = static_cast<double>(each);
                return value >= found.edge(bin) &&
                       (value < found.edge(bin + 1) || (last && value <= found.hi));
            }));
        }
        for (std::size_t i = 0; i < shares.size(); ++i) {
            double const at = shares[i] * static_cast<double>(sorted.size() - 1);
            auto const below = static_cast<std::size_t>(at);
            double const lower = static_cast<double>(sorted[below]);
            double const upper = static_cast<double>(sorted[std::min(below + 1, sorted.size() - 1)]);
            EXPECT_NEAR(
                found.quantiles[i], lower + (at - static_cast<double>(below)) * (upper - lower), 1e-9);
        }
    }
}

/// Values of one byte are counted by a table; as floats one by one.
template <class T>
void expect_bytes_to_count_as_floats(std::int64_t missing) {
    weft::grid_shape shape;
    shape.points = {9, 10, 11};
    shape.missing = static_cast<double>(missing);
    auto random = weft_test::random();
    std::uniform_int_distribution<int> any(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    std::vector<T> bytes(9 * 10 * 11);
    for (T& each : bytes) each = static_cast<T>(any(random));
    std::vector<float> const floats(bytes.begin(), bytes.end());
    for (weft::histogram_options const& options :
        {weft::histogram_options{.bins = 256, .range = {{-128, 128}}},
            {.bins = 7, .quantiles = {0, 0.3, 0.5, 1}, .blocks = 3}, {.bins = 3, .range = {{10, 20}}}}) {
        auto const found = counted(shape, bytes, options);
        auto const expected = counted(shape, floats, options);
        EXPECT_EQ(found.counts, expected.counts);
        EXPECT_EQ(
            std::tuple(found.finite, found.missing, found.below, found.above, found.mean, found.entropy),
            std::tuple(expected.finite, expected.missing, expected.below, expected.above, expected.mean,
                expected.entropy));
        EXPECT_EQ(found.least, expected.least);
        EXPECT_EQ(found.greatest, expected.greatest);
        EXPECT_EQ(found.quantiles, expected.quantiles);
    }
}

TEST(value_histogram, bytes_count_as_floats_do) {
    expect_bytes_to_count_as_floats<std::uint8_t>(7);
    expect_bytes_to_count_as_floats<std::int8_t>(-7);
}

TEST(value_histogram, grids_without_values_or_with_one) {
    weft::grid_shape shape;
    shape.points = {2, 2, 1};
    float const none = std::numeric_limits<float>::quiet_NaN();
    auto const empty = counted<float>(shape, {none, none, none, none}, {.bins = 3, .quantiles = {0.5}});
    EXPECT_EQ(empty.missing, 4);
    EXPECT_TRUE(
        std::isnan(empty.mean) && std::isnan(empty.least.nearest()) && std::isnan(empty.quantiles.front()));
    EXPECT_EQ(empty.counts, (std::vector<std::int64_t>{0, 0, 0}));
    EXPECT_EQ(empty.entropy, 0);
    auto const same = counted<float>(shape, {7, 7, 7, 7}, {.bins = 3, .quantiles = {0.5}});
    EXPECT_EQ(same.counts, (std::vector<std::int64_t>{0, 4, 0}));
    EXPECT_EQ(same.lo, 6.5);
    EXPECT_EQ(same.hi, 7.5);
    EXPECT_EQ(same.quantiles.front(), 7);
    EXPECT_THROW(counted<float>(shape, {7, 7, 7, 7}, {.bins = 0}), weft::usage_error);
    EXPECT_THROW(counted<float>(shape, {7, 7, 7, 7}, {.range = {{2, 2}}}), weft::usage_error);
    EXPECT_THROW(counted<float>(shape, {7, 7, 7, 7}, {.quantiles = {1.5}}), weft::usage_error);
}
