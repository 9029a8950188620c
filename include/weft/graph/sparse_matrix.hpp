/// A distributed sparse matrix and its product with vectors.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/halo.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft {

/// A sparse matrix in contiguous blocks of rows: rank p of P has the rows of [floor(rows p / P), floor(rows
/// (p + 1) / P)). Vectors over the columns are distributed in blocks as the rows are.
///
/// Entries that the file leaves out because of symmetry are stored too. Explicit zeros and duplicates are
/// kept (a product adds duplicates), and entries without a value are 1.
class sparse_matrix {
public:
    /// Distributes the entries of a matrix, or of the adjacency matrix of a graph with declared vertices,
    /// which is symmetric if the graph is undirected. Collective: yes, over `comm`. Blocks: until all ranks
    /// have called. Cost: one exchange of the entries, and one exchange that finds the vector elements that
    /// ranks need from each other; O(entries / P) time and memory per rank. Throws: `usage_error` (an edge
    /// list with labels; an entry outside the matrix; 2^32 columns or more on a rank), `mpi_error`.
    sparse_matrix(communicator comm, edge_list entries);

    /// Returns the communicator of the matrix.
    [[nodiscard]] communicator const& comm() const noexcept { return comm_; }
    /// Returns the rows that each rank owns.
    [[nodiscard]] uniform_distribution const& rows() const noexcept { return rows_; }
    /// Returns the columns that each rank owns; a rank also owns these elements of a vector x in A x.
    [[nodiscard]] uniform_distribution const& columns() const noexcept { return columns_; }
    /// Returns the number of rows that this rank owns.
    [[nodiscard]] std::int64_t local_rows() const noexcept { return rows_.size(comm_.rank()); }
    /// Returns the number of columns that this rank owns.
    [[nodiscard]] std::int64_t local_columns() const noexcept { return columns_.size(comm_.rank()); }
    /// Returns the number of entries on all ranks, including entries that are implied by symmetry.
    [[nodiscard]] std::int64_t entry_count() const noexcept { return entry_count_; }
    /// Returns the number of other ranks whose vector elements this rank needs for its rows.
    [[nodiscard]] int neighbors() const noexcept { return halo_->neighbors(); }

    /// Returns for each local row the index of its first entry, and at the end the number of this rank's
    /// entries. Within a row, entries are in ascending order of columns.
    [[nodiscard]] std::span<std::size_t const> first_entries() const noexcept { return first_; }
    /// Returns the column of an entry of this rank.
    [[nodiscard]] global_id column_of(std::size_t entry) const noexcept {
        auto const own = static_cast<std::size_t>(local_columns());
        return column_[entry] < own ? columns_.begin(comm_.rank()) + column_[entry]
                                    : ghosts_[column_[entry] - own];
    }
    /// Returns the values of this rank's entries.
    [[nodiscard]] std::span<double const> values() const noexcept { return value_; }

    /// Computes y = A x for this rank's rows. Rows that need no elements of x from other ranks are multiplied
    /// while elements of x are in flight. Collective: yes, over neighbours only: a rank waits only for ranks
    /// whose elements it needs. Blocks: until the elements of x that this rank needs have arrived. Cost:
    /// O(entries / P), one message from each neighbour. Order: every row is added up in ascending order of
    /// columns, so y is the same to the last bit at any number of ranks. Throws: `usage_error` unless x has
    /// `local_columns()` and y `local_rows()` elements, on this rank and on the ranks that need its elements
    /// (see `exchange_plan::exchange`); `mpi_error`. Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010, section
    /// 5.3.
    void multiply(std::span<double const> x, std::span<double> y);

private:
    void multiply_rows(std::span<std::uint32_t const> rows, std::span<double> y) noexcept;

    communicator comm_;
    uniform_distribution rows_;
    uniform_distribution columns_;
    std::int64_t entry_count_ = 0;
    std::vector<std::size_t> first_;    // by local row, one more at the end
    std::vector<std::uint32_t> column_; // own columns from 0, ghosts behind them
    std::vector<double> value_;
    std::vector<global_id> ghosts_;
    std::vector<std::uint32_t> inner_rows_;    // without ghosts
    std::vector<std::uint32_t> boundary_rows_; // with
    std::optional<halo<double>> halo_;         // always there once constructed
};

} // namespace weft
