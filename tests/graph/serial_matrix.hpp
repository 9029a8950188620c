/// A matrix that every rank has whole, its product, and its distribution over the ranks.
#pragma once

#include <harness/mpi_test.hpp>

#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace weft_test {

struct serial_matrix {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<std::tuple<std::int64_t, std::int64_t, double>> entries; ///< includes duplicates

    [[nodiscard]] std::vector<double> times(std::vector<double> const& x) const {
        std::vector<double> y(static_cast<std::size_t>(rows));
        for (auto const& [row, column, value] : entries)
            y[static_cast<std::size_t>(row)] += value * x[static_cast<std::size_t>(column)];
        return y;
    }

    /// Returns this rank's share in the form of `read_graph`, distributed at random.
    [[nodiscard]] weft::edge_list share(std::uint64_t seed = 1) const {
        weft::edge_list mine;
        mine.rows = rows;
        mine.columns = columns;
        mine.bipartite = rows != columns;
        mine.vertices = mine.bipartite ? rows + columns : rows;
        mine.directed = true;
        std::mt19937_64 dealer(seed);
        for (auto const& [row, column, value] : entries) {
            if (static_cast<int>(dealer() % static_cast<std::uint64_t>(size())) != rank()) continue;
            mine.edges.push_back({row, column + (mine.bipartite ? rows : 0)});
            mine.weights.push_back(value);
        }
        return mine;
    }
};

/// Returns a matrix with ones in row 0, in column 0 and on the diagonal.
inline serial_matrix full_cross(std::int64_t rows) {
    serial_matrix matrix{rows, rows, {}};
    matrix.entries.emplace_back(0, 0, 1.0);
    for (std::int64_t i = 1; i < rows; ++i) {
        matrix.entries.emplace_back(0, i, 1.0);
        matrix.entries.emplace_back(i, 0, 1.0);
        matrix.entries.emplace_back(i, i, 1.0);
    }
    return matrix;
}

/// Values are small integers, so that sums do not depend on their order.
inline serial_matrix random_matrix(
    std::int64_t rows, std::int64_t columns, std::int64_t entries, std::uint64_t seed) {
    serial_matrix matrix{rows, columns, {}};
    std::mt19937_64 next(seed);
    auto const below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n));
    };
    if (rows == 0 || columns == 0) return matrix;
    for (std::int64_t i = 0; i < entries; ++i) {
        std::int64_t const row = below(rows);
        std::int64_t const column = below(columns);
        matrix.entries.emplace_back(row, column, static_cast<double>(below(9) - 4));
    }
    return matrix;
}

} // namespace weft_test
