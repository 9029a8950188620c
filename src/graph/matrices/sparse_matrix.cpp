#include <weft/graph/sparse_matrix.hpp>

#include "graph/components/local_numbering.hpp"
#include "matrix_rows.hpp"

#include <protocol/gated_sums.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <algorithm>
#include <string>

namespace weft {

namespace {

struct shape {
    std::int64_t rows;
    std::int64_t columns;
};

shape shape_of(edge_list const& list) {
    return list.bipartite ? shape{list.rows, list.columns} : shape{list.vertices, list.vertices};
}

void check(edge_list const& list, shape const& size) {
    if (list.naming != vertex_naming::declared)
        throw usage_error("sparse_matrix: expected a matrix or a graph that declares its vertices, found " +
                          (list.format.empty() ? std::string("labels") : "an " + list.format));
    if (size.rows < 0 || size.columns < 0)
        throw usage_error("sparse_matrix: " + std::to_string(size.rows) + " rows and " +
                          std::to_string(size.columns) + " columns; expected 0 or more");
    if (!list.weights.empty() && list.weights.size() != list.edges.size())
        throw usage_error("sparse_matrix: " + std::to_string(list.weights.size()) + " values for " +
                          std::to_string(list.edges.size()) + " entries");
    for (auto [row, column] : list.edges) {
        if (list.bipartite) column -= list.rows;
        if (row < 0 || row >= size.rows || column < 0 || column >= size.columns)
            throw usage_error("sparse_matrix: entry (" + std::to_string(row) + ", " + std::to_string(column) +
                              ") is outside of " + std::to_string(size.rows) + " rows and " +
                              std::to_string(size.columns) + " columns");
    }
}

} // namespace

sparse_matrix::sparse_matrix(communicator comm, edge_list list) : comm_(std::move(comm)) {
    gate call(comm_, "sparse_matrix");
    shape const size = shape_of(list);
    call.same("rows", size.rows).same("columns", size.columns);
    agreed(call, [&] { check(list, size); });
    rows_ = uniform_distribution(size.rows, comm_.size());
    columns_ = uniform_distribution(size.columns, comm_.size());
    matrix_rows collected = collect_rows(call, std::move(list), rows_, columns_);
    first_ = std::move(collected.first);
    value_ = std::move(collected.value);
    local_numbering numbered = number_locally(call, columns_, collected.column, "sparse_matrix");
    column_ = std::move(numbered.index);
    ghosts_ = std::move(numbered.ghosts);
    call.guard([&] {
        split_rows rows = split_by_ghosts(first_, column_, local_columns());
        inner_rows_ = std::move(rows.inner);
        boundary_rows_ = std::move(rows.boundary);
    });
    entry_count_ = sum(call, std::ssize(value_));
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
    if (std::ssize(x) != local_columns() || std::ssize(y) != local_rows()) {
        halo_->refuse(std::make_exception_ptr(
            usage_error("multiply: expected x and y of " + std::to_string(local_columns()) + " and " +
                        std::to_string(local_rows()) + " elements, found " + std::to_string(x.size()) +
                        " and " + std::to_string(y.size()) + " on rank " + std::to_string(comm_.rank()))));
        halo_->finish();
    }
    std::ranges::copy(x, halo_->own().begin());
    halo_->start();
    multiply_rows(inner_rows_, y);
    halo_->finish();
    multiply_rows(boundary_rows_, y);
}

} // namespace weft
