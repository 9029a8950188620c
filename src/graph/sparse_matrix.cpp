#include <weft/graph/sparse_matrix.hpp>

#include "local_numbering.hpp"

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>

namespace weft {

namespace {

struct entry {
    std::int64_t row; // from the first of the rank that stores it
    global_id column;
    double value;
};

struct shape {
    std::int64_t rows;
    std::int64_t columns;
};

shape shape_of(edge_list const& list) {
    return list.bipartite ? shape{list.rows, list.columns} : shape{list.vertices, list.vertices};
}

void check(communicator const& comm, edge_list const& list, shape const& size) {
    agreed(comm, [&] {
        if (list.naming != vertex_naming::declared)
            throw usage_error(
                "sparse_matrix: expected a matrix or a graph that declares its vertices, found " +
                (list.format.empty() ? std::string("labels") : "an " + list.format));
        for (auto [row, column] : list.edges) {
            if (list.bipartite) column -= list.rows;
            if (row < 0 || row >= size.rows || column < 0 || column >= size.columns)
                throw usage_error("sparse_matrix: entry (" + std::to_string(row) + ", " +
                                  std::to_string(column) + ") is outside of " + std::to_string(size.rows) +
                                  " rows and " + std::to_string(size.columns) + " columns");
        }
    });
}

/// Sends every entry, and what it implies, to the rank that owns its row.
inbox<entry> distribute(communicator const& comm, edge_list const& list, uniform_distribution const& rows) {
    bool const listed_once = !list.directed && !list.both_directions && !list.bipartite;
    bool const mirrored = list.symmetry != matrix_symmetry::general || listed_once;
    double const mirror_sign = list.symmetry == matrix_symmetry::skew ? -1 : 1;
    outbox<entry> out(comm);
    auto const send = [&](std::int64_t row, std::int64_t column, double value) {
        int const owner = rows.owner(row);
        out[owner].push_back({row - rows.begin(owner), column, value});
    };
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
        std::int64_t const row = list.edges[i].source;
        std::int64_t const column = list.edges[i].target - (list.bipartite ? list.rows : 0);
        double const value = list.weights.empty() ? 1 : list.weights[i];
        send(row, column, value);
        if (mirrored && row != column) send(column, row, mirror_sign * value);
    }
    return exchange(std::move(out));
}

} // namespace

sparse_matrix::sparse_matrix(communicator comm, edge_list list) : comm_(std::move(comm)) {
    shape const size = shape_of(list);
    check(comm_, list, size);
    rows_ = uniform_distribution(size.rows, comm_.size());
    columns_ = uniform_distribution(size.columns, comm_.size());
    auto const received = distribute(comm_, list, rows_);
    list = {};

    auto const row_count = static_cast<std::size_t>(local_rows());
    first_.assign(row_count + 1, 0);
    for (auto const& [source, entries] : received)
        for (entry const& each : entries) ++first_[static_cast<std::size_t>(each.row) + 1];
    for (std::size_t row = 0; row < row_count; ++row) first_[row + 1] += first_[row];

    std::vector<entry> sorted(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (auto const& [source, entries] : received)
        for (entry const& each : entries) sorted[next[static_cast<std::size_t>(each.row)]++] = each;
    // Duplicates are ordered too, by the bits of their values: the order of adding must not depend on who
    // has read them.
    for (std::size_t row = 0; row < row_count; ++row)
        std::ranges::sort(
            std::span(sorted).subspan(first_[row], first_[row + 1] - first_[row]), {}, [](entry const& each) {
                return std::pair(each.column, std::bit_cast<std::int64_t>(each.value));
            });

    std::vector<global_id> ids;
    ids.reserve(sorted.size());
    value_.reserve(sorted.size());
    for (entry const& each : sorted) {
        ids.push_back(each.column);
        value_.push_back(each.value);
    }
    local_numbering numbered = number_locally(comm_, columns_, ids, "sparse_matrix");
    column_ = std::move(numbered.index);
    ghosts_ = std::move(numbered.ghosts);
    split_rows rows = split_by_ghosts(first_, column_, local_columns());
    inner_rows_ = std::move(rows.inner);
    boundary_rows_ = std::move(rows.boundary);
    entry_count_ = sum(comm_, std::ssize(value_));
    halo_.emplace(comm_, columns_, ghosts_);
}

void sparse_matrix::multiply_rows(std::span<std::uint32_t const> rows, std::span<double> y) noexcept {
    std::span<double const> const x = halo_->values();
    for (std::uint32_t const row : rows) {
        double total = 0;
        for (std::size_t i = first_[row]; i < first_[row + 1]; ++i) total += value_[i] * x[column_[i]];
        y[row] = total;
    }
}

void sparse_matrix::multiply(std::span<double const> x, std::span<double> y) {
    agreed(comm_, [&] {
        if (std::ssize(x) != local_columns() || std::ssize(y) != local_rows())
            throw usage_error("multiply: expected x and y of " + std::to_string(local_columns()) + " and " +
                              std::to_string(local_rows()) + " elements, found " + std::to_string(x.size()) +
                              " and " + std::to_string(y.size()) + " on rank " +
                              std::to_string(comm_.rank()));
    });
    std::ranges::copy(x, halo_->own().begin());
    halo_->start();
    multiply_rows(inner_rows_, y);
    halo_->finish();
    multiply_rows(boundary_rows_, y);
}

} // namespace weft
