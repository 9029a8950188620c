#include <weft/graph/sparse_matrix.hpp>

#include "serial_matrix.hpp"

#include <weft/core/error.hpp>

#include <algorithm>

#include <set>

using namespace weft_test;

namespace {

/// This rank's part of a vector.
std::vector<double> rows_of(std::vector<double> const& all, weft::uniform_distribution const& owners) {
    return {all.begin() + owners.begin(rank()), all.begin() + owners.end(rank())};
}

void expect_product(weft::edge_list list, serial_matrix const& expanded, std::string const& name) {
    weft::sparse_matrix matrix(world(), std::move(list));
    EXPECT_EQ(matrix.rows().total(), expanded.rows) << name;
    EXPECT_EQ(matrix.columns().total(), expanded.columns) << name;
    EXPECT_EQ(matrix.entry_count(), std::ssize(expanded.entries)) << name;

    std::set<int> neighbors;
    for (auto const& [row, column, value] : expanded.entries)
        if (matrix.rows().owner(row) == rank()) neighbors.insert(matrix.columns().owner(column));
    neighbors.erase(rank());
    EXPECT_EQ(matrix.neighbors(), std::ssize(neighbors)) << name;

    for (int product = 0; product < 2; ++product) {
        std::vector<double> x(static_cast<std::size_t>(expanded.columns));
        for (std::size_t j = 0; j < x.size(); ++j)
            x[j] = static_cast<double>(j % 7 + 1 + static_cast<std::size_t>(product));
        std::vector<double> y(static_cast<std::size_t>(matrix.local_rows()), -1e9);
        matrix.multiply(rows_of(x, matrix.columns()), y);
        EXPECT_EQ(y, rows_of(expanded.times(x), matrix.rows())) << name;
    }
}

} // namespace

TEST(sparse_matrix, random_matrices_of_all_shapes) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const rows = static_cast<std::int64_t>(1 + seed * 17 % 90);
        auto const columns = seed % 3 == 0 ? rows : static_cast<std::int64_t>(1 + seed * 29 % 120);
        auto const matrix = random_matrix(rows, columns, rows * static_cast<std::int64_t>(seed % 6), seed);
        expect_product(matrix.share(seed), matrix, "seed " + std::to_string(seed));
    }
}

TEST(sparse_matrix, without_entries_rows_or_columns) {
    for (auto const& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {5, 5}, {0, 4}, {4, 0}})
        expect_product(random_matrix(rows, columns, 0, 1).share(), {rows, columns, {}},
            std::to_string(rows) + " by " + std::to_string(columns));
}

TEST(sparse_matrix, what_symmetry_implies_is_there) {
    for (auto const symmetry : {weft::matrix_symmetry::symmetric, weft::matrix_symmetry::skew}) {
        double const sign = symmetry == weft::matrix_symmetry::skew ? -1 : 1;
        serial_matrix stored{60, 60, {}};
        for (auto [row, column, value] : random_matrix(60, 60, 200, 9).entries)
            if (row > column || (row == column && sign > 0)) stored.entries.emplace_back(row, column, value);
        serial_matrix expanded = stored;
        for (auto const& [row, column, value] : stored.entries)
            if (row != column) expanded.entries.emplace_back(column, row, sign * value);
        weft::edge_list list = stored.share();
        list.symmetry = symmetry;
        list.directed = false;
        expect_product(std::move(list), expanded, sign < 0 ? "skew" : "symmetric");
    }
}

TEST(sparse_matrix, without_values_entries_are_one) {
    serial_matrix matrix = random_matrix(30, 50, 100, 2);
    for (auto& [row, column, value] : matrix.entries) value = 1;
    weft::edge_list list = matrix.share();
    list.weights.clear();
    expect_product(std::move(list), matrix, "pattern");
}

TEST(sparse_matrix, a_graph_of_undirected_edges_is_symmetric) {
    serial_matrix once{4, 4, {{0, 1, 2}, {3, 1, 5}}};
    serial_matrix const both{4, 4, {{0, 1, 2}, {1, 0, 2}, {3, 1, 5}, {1, 3, 5}}};
    weft::edge_list list = once.share();
    list.directed = false;
    expect_product(std::move(list), both, "listed once");
    list = both.share();
    list.directed = false;
    list.both_directions = true;
    expect_product(std::move(list), both, "listed twice");
}

TEST(sparse_matrix, rows_are_added_up_in_one_order) {
    // 1e16 + 1 - 1e16 is 0, 1e16 - 1e16 + 1 is 1: the columns decide, and among duplicates the values.
    serial_matrix const matrix{
        2, 40, {{0, 39, -1e16}, {0, 20, 1}, {0, 0, 1e16}, {1, 5, 3e16}, {1, 5, 1}, {1, 5, -3e16}}};
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        weft::sparse_matrix dealt(world(), matrix.share(seed));
        std::vector<double> const x(static_cast<std::size_t>(dealt.local_columns()), 1);
        std::vector<double> y(static_cast<std::size_t>(dealt.local_rows()));
        dealt.multiply(x, y);
        for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], 0) << "of 1 added to 1e16 nothing is left";
    }
}

TEST(sparse_matrix, mistakes_are_errors_on_all_ranks) {
    weft::edge_list labels;
    labels.naming = weft::vertex_naming::numbers;
    EXPECT_THROW(weft::sparse_matrix(world(), labels), weft::usage_error);
    weft::edge_list outside = serial_matrix{3, 5, {}}.share();
    if (rank() == size() - 1) outside.edges = {{0, 8}};
    EXPECT_THROW(weft::sparse_matrix(world(), outside), weft::usage_error);

    weft::sparse_matrix matrix(world(), serial_matrix{3, 5, {}}.share());
    std::vector<double> x(static_cast<std::size_t>(matrix.local_columns() + 1));
    std::vector<double> y(static_cast<std::size_t>(matrix.local_rows()));
    EXPECT_THROW(matrix.multiply(x, y), weft::usage_error);
}

TEST(sparse_matrix, lengths_that_do_not_fit_on_one_rank_are_an_error_where_its_elements_are_needed) {
    weft::sparse_matrix matrix(world(), full_cross(40).share());
    std::vector<double> const x(static_cast<std::size_t>(matrix.local_columns()), 1);
    std::vector<double> y(static_cast<std::size_t>(matrix.local_rows()));
    matrix.multiply(x, y);
    std::vector<double> const expected = y;
    for (int culprit = 0; culprit < size(); ++culprit) {
        // Row 0 is full, and so is column 0: rank 0 needs the others' elements, and they need its.
        bool const learns = rank() == culprit || rank() == 0 || culprit == 0;
        std::vector<double> shorter(y.size() + 2);
        std::string told = "nothing";
        try {
            matrix.multiply(x, rank() == culprit ? shorter : y);
        } catch (weft::usage_error const& caught) { told = caught.what(); }
        std::string const text = "on rank " + std::to_string(culprit);
        EXPECT_EQ(told.find(text) != std::string::npos, learns) << told;
        matrix.multiply(x, y); // the next one works
        EXPECT_EQ(y, expected);
    }
}
