#include <weft/graph/column_matrix.hpp>

#include "serial_matrix.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace weft_test;

namespace {

/// This rank's part of a vector.
std::vector<double> part_of(std::vector<double> const& all, weft::uniform_distribution const& owners) {
    return {all.begin() + owners.begin(rank()), all.begin() + owners.end(rank())};
}

std::vector<std::int64_t> bits_of(std::vector<double> const& values) {
    std::vector<std::int64_t> bits;
    for (double const each : values) bits.push_back(std::bit_cast<std::int64_t>(each));
    return bits;
}

void expect_product(serial_matrix const& serial, std::int64_t threshold, std::string const& name) {
    weft::sparse_matrix const rows(world(), serial.share());
    weft::column_matrix matrix(rows, {.delegate_threshold = threshold});
    for (int product = 0; product < 3; ++product) {
        std::vector<double> x(static_cast<std::size_t>(serial.columns));
        for (std::size_t j = 0; j < x.size(); ++j)
            x[j] = static_cast<double>(j % 7 + 1 + static_cast<std::size_t>(product));
        std::vector<double> y(static_cast<std::size_t>(rows.local_rows()), -1e9);
        matrix.multiply(part_of(x, rows.columns()), y);
        EXPECT_EQ(y, part_of(serial.times(x), rows.rows())) << name << ", threshold " << threshold;
    }
}

} // namespace

TEST(column_matrix, random_matrices_of_all_shapes) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const rows = static_cast<std::int64_t>(1 + seed * 17 % 90);
        auto const columns = seed % 3 == 0 ? rows : static_cast<std::int64_t>(1 + seed * 29 % 120);
        auto const matrix = random_matrix(rows, columns, rows * static_cast<std::int64_t>(seed % 6), seed);
        for (std::int64_t const threshold : {0, 1, 4, 1024})
            expect_product(matrix, threshold, "seed " + std::to_string(seed));
    }
}

TEST(column_matrix, without_entries_rows_or_columns) {
    for (auto const& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {5, 5}, {0, 4}, {4, 0}})
        expect_product(
            random_matrix(rows, columns, 0, 1), 0, std::to_string(rows) + " by " + std::to_string(columns));
}

TEST(column_matrix, a_cross_of_one_full_row_and_one_full_column) {
    serial_matrix cross{200, 200, {}};
    for (std::int64_t i = 0; i < 200; ++i) {
        cross.entries.emplace_back(150, i, static_cast<double>(i % 5 - 2));
        cross.entries.emplace_back(i, 30, static_cast<double>(i % 3));
    }
    for (std::int64_t const threshold : {100, 1000}) expect_product(cross, threshold, "cross");
    weft::sparse_matrix const rows(world(), cross.share());
    weft::column_matrix const matrix(rows, {.delegate_threshold = 100});
    EXPECT_EQ(matrix.delegated_rows(), 1);
    EXPECT_EQ(matrix.delegated_columns(), 1);
}

TEST(column_matrix, rows_are_added_up_in_one_order_or_exactly) {
    // From left to right, of 1 added to 1e16 nothing is left; in integers it is.
    serial_matrix const matrix{
        2, 40, {{0, 39, -1e16}, {0, 20, 1}, {0, 0, 1e16}, {1, 5, 3e16}, {1, 5, 1}, {1, 5, -3e16}}};
    for (std::uint64_t seed = 0; seed < 8; ++seed)
        for (std::int64_t const threshold : {2, 1024}) {
            weft::sparse_matrix const rows(world(), matrix.share(seed));
            weft::column_matrix dealt(rows, {.delegate_threshold = threshold});
            std::vector<double> const x(static_cast<std::size_t>(rows.local_columns()), 1);
            std::vector<double> y(static_cast<std::size_t>(rows.local_rows()));
            dealt.multiply(x, y);
            for (double const each : y) EXPECT_EQ(each, threshold == 2 ? 1 : 0);
        }
}

TEST(column_matrix, fractions_are_as_by_rows_to_the_last_bit) {
    serial_matrix matrix = random_matrix(120, 90, 2000, 3);
    std::mt19937_64 next(5);
    auto const fraction = [&] { return std::ldexp(static_cast<double>(next() >> 11), -40) - 4000; };
    for (auto& [row, column, value] : matrix.entries) value = fraction();
    std::vector<double> x(90);
    for (double& each : x) each = fraction();
    weft::sparse_matrix rows(world(), matrix.share());
    auto const mine = part_of(x, rows.columns());
    std::vector<double> expected(static_cast<std::size_t>(rows.local_rows()));
    rows.multiply(mine, expected);
    std::vector<double> y(expected.size());
    weft::column_matrix by_columns(rows);
    by_columns.multiply(mine, y);
    EXPECT_EQ(bits_of(y), bits_of(expected));
    weft::column_matrix delegated(rows, {.delegate_threshold = 10});
    delegated.multiply(mine, y);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-6);
}

TEST(column_matrix, what_is_not_finite_stays_so) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    serial_matrix matrix{4, 60, {}};
    for (std::int64_t row = 0; row < 4; ++row)
        for (std::int64_t column = 0; column < 60; ++column) matrix.entries.emplace_back(row, column, 1);
    std::get<2>(matrix.entries[60 + 3]) = infinity;    // row 1
    std::get<2>(matrix.entries[120 + 3]) = infinity;   // row 2 ...
    std::get<2>(matrix.entries[120 + 50]) = -infinity; // ... is not a number
    std::get<2>(matrix.entries[180 + 59]) = 1e308;     // row 3 overflows
    std::vector<double> x(60, 1);
    x[59] = -100;
    for (std::int64_t const threshold : {20, 1024}) {
        weft::sparse_matrix const rows(world(), matrix.share());
        weft::column_matrix dealt(rows, {.delegate_threshold = threshold});
        std::vector<double> y(static_cast<std::size_t>(rows.local_rows()));
        dealt.multiply(part_of(x, rows.columns()), y);
        for (std::size_t i = 0; i < y.size(); ++i)
            switch (rows.rows().begin(rank()) + static_cast<std::int64_t>(i)) {
            case 0:
                EXPECT_EQ(y[i], -41);
                break;
            case 1:
                EXPECT_EQ(y[i], infinity);
                break;
            case 2:
                EXPECT_TRUE(std::isnan(y[i]));
                break;
            default:
                EXPECT_EQ(y[i], -infinity);
            }
    }
}

TEST(column_matrix, mistakes_are_errors_on_all_ranks) {
    weft::sparse_matrix const rows(world(), serial_matrix{3, 5, {}}.share());
    EXPECT_THROW(weft::column_matrix(rows, {.delegate_threshold = -1}), weft::usage_error);
    weft::column_matrix matrix(rows);
    std::vector<double> x(static_cast<std::size_t>(rows.local_columns() + 1));
    std::vector<double> y(static_cast<std::size_t>(rows.local_rows()));
    EXPECT_THROW(matrix.multiply(x, y), weft::usage_error);
}

TEST(column_matrix, lengths_that_do_not_fit_on_one_rank_are_an_error_on_all) {
    serial_matrix const all = full_cross(40);
    weft::sparse_matrix const rows(world(), all.share());
    for (std::int64_t const threshold : {std::int64_t{1'000'000}, std::int64_t{2}}) {
        weft::column_matrix matrix(rows, {.delegate_threshold = threshold});
        std::vector<double> const x(static_cast<std::size_t>(rows.local_columns()), 1);
        std::vector<double> y(static_cast<std::size_t>(rows.local_rows()));
        matrix.multiply(x, y);
        std::vector<double> const expected = y;
        for (int culprit = 0; culprit < size(); ++culprit) {
            std::vector<double> longer(x.size() + 1, 1);
            std::string told;
            try {
                matrix.multiply(rank() == culprit ? longer : x, y);
            } catch (weft::usage_error const& caught) { told = caught.what(); }
            EXPECT_NE(told.find("on rank " + std::to_string(culprit)), std::string::npos) << told;
            std::ranges::fill(y, -1);
            matrix.multiply(x, y); // the next one works
            EXPECT_EQ(y, expected);
        }
    }
}
