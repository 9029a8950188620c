/// Counts the communication partners of each rank in a sparse matrix-vector product.
#pragma once

#include <weft/graph/sparse_matrix.hpp>

#include <cstdint>

namespace weft {

/// The rule that cuts the n rows of a matrix, and the elements of a vector, into one block for each of P
/// ranks.
enum class block_layout : std::uint8_t {
    floor, ///< Block p begins at floor(n p / P), as in `sparse_matrix`.
    ceil,  ///< Blocks have ceil(n / P) rows; the last blocks may be shorter or empty.
    /// Row r is in block floor(P e / E), where e is the number of entries in the rows before row r and E the
    /// number of all entries. Blocks of rows have about equal numbers of entries; the blocks of the vector
    /// are the same as with `floor`.
    entries
};

/// The average and the largest number of communication partners of a rank, including ranks without rows.
struct neighbor_count {
    double average = 0;       ///< The mean number of partners over all ranks.
    std::int64_t largest = 0; ///< The largest number of partners that a rank has.
};

/// The numbers of blocks of the vector that a rank needs for its rows.
struct neighbor_counts {
    neighbor_count others;   ///< counted without the rank's own block
    neighbor_count with_own; ///< counted with the rank's own block, if its rows need this block
};

/// Counts the communication partners that each of `ranks` ranks would have in a product of the matrix with a
/// vector. Collective: yes, with equal arguments on all ranks. Blocks: until all ranks have called. Cost:
/// O(entries / P), one exchange of the distinct pairs of blocks, one small all-reduce; with
/// `block_layout::entries` also a prefix sum, an exchange that tells every rank where all blocks begin, and
/// O(`ranks`) memory. Throws: `usage_error` if `ranks` is less than 1, `mpi_error`. Source: Hoefler, Siebert,
/// Lumsdaine, PPoPP 2010, Table 3.
[[nodiscard]] neighbor_counts count_neighbors(sparse_matrix const& matrix, int ranks, block_layout layout);

} // namespace weft
