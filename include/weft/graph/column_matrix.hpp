/// A sparse matrix, distributed by columns, whose product with a vector is computed by messages.
#pragma once

#include <weft/detail/core/owned.hpp>
#include <weft/graph/sparse_matrix.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

class hub_sum;

/// Options of a `column_matrix`.
struct column_matrix_options {
    /// Rows and columns with more entries than this number are delegates: their entries are spread over all
    /// ranks. Results of delegated rows may depend on this number in their last bits. The number is equal on
    /// all ranks.
    std::int64_t delegate_threshold = 1024;
};

/// A matrix whose entries are on the ranks that own their columns. A product with a vector needs no vector
/// elements of other ranks, but sends one number per entry to the owner of the entry's row. Rows and columns
/// with many entries are delegates: their entries are spread over all ranks. The entries of a delegated
/// column are on the ranks that own their rows. In a product, the vector element of a delegated column is
/// broadcast, and no messages are sent for the entries of the column. Each rank sums its own entries of a
/// delegated row, and the owner of the row adds these sums.
///
/// Rows, columns and vectors are distributed as in `sparse_matrix`.
class column_matrix {
public:
    /// Redistributes a matrix; `matrix` is not needed after the call. Collective: yes, over the communicator
    /// of `matrix`. Blocks: until all ranks have called. Cost: O(entries / P) time and memory; three phases
    /// of a mailbox, which send 4 bytes and then 16 bytes per entry. Throws: `usage_error` for 2^32 entries
    /// on a rank or a negative threshold, `mpi_error`.
    explicit column_matrix(sparse_matrix const& matrix, column_matrix_options const& options = {});
    column_matrix(column_matrix const&) = delete;
    column_matrix& operator=(column_matrix const&) = delete;

    /// Returns the number of rows whose entries are spread over all ranks.
    [[nodiscard]] std::int64_t delegated_rows() const noexcept { return std::ssize(hubs_); }
    /// Returns the number of columns whose entries are spread over all ranks.
    [[nodiscard]] std::int64_t delegated_columns() const noexcept { return std::ssize(delegated_columns_); }

    /// Computes y = A x for this rank's rows. Collective: yes. Blocks: until all ranks are done. Cost:
    /// O(entries / P), a phase of a mailbox with 8 bytes per entry, 40 bytes per delegated row and rank, and
    /// a broadcast of each delegated column's element; a small all-reduce if there are delegated rows. Order:
    /// the products of a row are added up in ascending order of columns, or in integers for delegated rows.
    /// The result y does not depend on the order in which products arrive, and has the same bits at any
    /// number of ranks. Except for delegated rows, y has the same bits as the result of
    /// `sparse_matrix::multiply`. Throws: `usage_error` on all ranks unless x has an element for each column
    /// of this rank, and y has an element for each row; `mpi_error`. Source: Priest, Steil, Sanders, Pearce,
    /// YGM, 2019, Algorithm 2 and section V.C.
    void multiply(std::span<double const> x, std::span<double> y);

private:
    /// A delegated row.
    struct hub {
        global_id row;
        std::int64_t entries;
        int exponent; ///< its finite values are below two to the power of this
    };
    /// An entry and where the product of it belongs.
    struct placed_entry {
        double value;
        std::uint32_t column; ///< of this rank, or a place among the delegated ones
        std::uint32_t place;  ///< of a product, or of a hub
    };
    struct sent_entry {
        double value;
        std::uint32_t column;
    };
    struct delegated_element {
        std::int64_t place;
        double value;
    };
    /// The sum of a rank for a hub.
    struct partial_sum {
        std::int64_t place = 0;
        std::array<std::int64_t, 3> pieces = {};
        double infinite = 0;
    };
    class building;
    struct traffic;

    void send_products(std::span<double const> x, std::span<double const> y);
    /// Adds up the hubs of own columns, and sends the sums to the owners of rows. `exponent`: above all x.
    [[nodiscard]] std::vector<hub_sum> add_up_hubs(std::span<double const> x, std::int64_t exponent) const;
    void drain();

    communicator comm_;
    uniform_distribution rows_;
    uniform_distribution columns_;
    std::vector<hub> hubs_;                    // ascending by row, the same on all ranks
    std::vector<global_id> delegated_columns_; // ascending, the same on all ranks

    std::vector<placed_entry> own_;                   // of own columns and of rows other than hubs
    std::vector<placed_entry> of_delegated_columns_;  // of own rows other than hubs
    std::vector<placed_entry> of_hubs_;               // of own columns
    std::vector<placed_entry> of_hubs_and_delegated_; // of own hubs and delegated columns
    std::vector<std::vector<sent_entry>> of_others_;  // of own columns, by the rank that has the row
    std::vector<std::vector<std::uint32_t>>
        places_of_;                    // where the products of each rank belong, as they come
    std::vector<std::size_t> arrived_; // of the products of each rank

    std::vector<std::size_t> first_; // products by own row, none of hubs; one more at the end
    std::vector<double> products_;
    std::vector<double> delegated_x_;
    std::vector<partial_sum> from_others_; // by hub: what others have added up, where the row is here

    detail::owned<traffic> traffic_;
};

} // namespace weft
