#include <weft/graph/neighbor_counts.hpp>

#include "serial_matrix.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <set>

using namespace weft_test;

namespace {

struct counts {
    double average = 0;
    std::int64_t largest = 0;
};

counts serial_counts(serial_matrix const& matrix, int ranks, weft::block_layout layout, bool with_own) {
    std::vector<std::int64_t> entries(static_cast<std::size_t>(matrix.rows));
    for (auto const& [row, column, value] : matrix.entries) ++entries[static_cast<std::size_t>(row)];
    auto const all = static_cast<std::int64_t>(matrix.entries.size());
    auto const block = [&](std::int64_t id, std::int64_t total, bool is_row) {
        if (layout == weft::block_layout::entries && is_row) {
            std::int64_t before = 0;
            for (std::int64_t row = 0; row < id; ++row) before += entries[static_cast<std::size_t>(row)];
            return before == all ? std::int64_t{ranks} - 1 : before * ranks / all;
        }
        if (layout == weft::block_layout::ceil) return id / ((total + ranks - 1) / ranks);
        std::int64_t p = ranks - 1;
        while (total * p / ranks > id) --p;
        return p;
    };
    std::set<std::pair<std::int64_t, std::int64_t>> pairs;
    for (auto const& [row, column, value] : matrix.entries)
        pairs.emplace(block(row, matrix.rows, true), block(column, matrix.columns, false));
    std::vector<std::int64_t> of_rank(static_cast<std::size_t>(ranks));
    for (auto const& [row, column] : pairs)
        of_rank[static_cast<std::size_t>(row)] += with_own || row != column;
    counts result;
    for (std::int64_t const n : of_rank) result.average += static_cast<double>(n) / ranks;
    result.largest = std::ranges::max(of_rank);
    return result;
}

} // namespace

TEST(neighbor_counts, of_random_matrices) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        auto const rows = static_cast<std::int64_t>(1 + seed * 17 % 90);
        auto const columns = seed % 3 == 0 ? rows : static_cast<std::int64_t>(1 + seed * 29 % 120);
        auto const serial = random_matrix(rows, columns, 4 * rows, seed);
        weft::sparse_matrix const matrix(world(), serial.share(seed));
        for (int const ranks : {1, 2, 3, 10, 64, 300})
            for (auto const layout :
                {weft::block_layout::floor, weft::block_layout::ceil, weft::block_layout::entries}) {
                auto const found = weft::count_neighbors(matrix, ranks, layout);
                auto const others = serial_counts(serial, ranks, layout, false);
                auto const with_own = serial_counts(serial, ranks, layout, true);
                EXPECT_NEAR(found.others.average, others.average, 1e-9);
                EXPECT_EQ(found.others.largest, others.largest);
                EXPECT_NEAR(found.with_own.average, with_own.average, 1e-9);
                EXPECT_EQ(found.with_own.largest, with_own.largest);
            }
    }
}

TEST(neighbor_counts, foretell_those_of_the_matrix) {
    weft::sparse_matrix const matrix(world(), random_matrix(100, 100, 150, 3).share());
    auto const found = weft::count_neighbors(matrix, size(), weft::block_layout::floor);
    EXPECT_LE(matrix.neighbors(), found.others.largest);
    EXPECT_LE(found.others.largest, size() - 1);
}

TEST(neighbor_counts, of_nothing) {
    for (auto const& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {7, 7}, {0, 3}}) {
        weft::sparse_matrix const matrix(world(), serial_matrix{rows, columns, {}}.share());
        auto const found = weft::count_neighbors(matrix, 5, weft::block_layout::ceil);
        EXPECT_EQ(found.with_own.largest, 0);
        EXPECT_EQ(found.with_own.average, 0);
        EXPECT_EQ(weft::count_neighbors(matrix, 5, weft::block_layout::entries).with_own.largest, 0);
        EXPECT_THROW((void)weft::count_neighbors(matrix, 0, weft::block_layout::floor), weft::usage_error);
    }
}
