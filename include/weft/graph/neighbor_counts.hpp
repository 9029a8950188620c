/// Counts the communication partners of each rank in a sparse matrix-vector product.
#pragma once

#include <weft/graph/sparse_matrix.hpp>

#include <cstdint>

namespace weft {

/// The rule that cuts rows, and elements of the vector, into one block per rank.
enum class block_layout : std::uint8_t {
    floor, ///< Block p begins at floor(n p / P), as in `sparse_matrix`.
    ceil,  ///< Blocks have ceil(n / P) rows; the last ones may be shorter or empty.
    /// Row r is in block floor(P e / E), where e is the number of entries in the rows before it and E the
    /// number of all entries. So blocks have about equal numbers of entries; the blocks of the vector are
    /// those of `floor`.
    entries
};

/// The numbers of communication partners of all ranks, including ranks without rows.
struct neighbor_count {
    double average = 0;       ///< The mean over all ranks.
    std::int64_t largest = 0; ///< The largest number that a rank has.
};

/// The numbers of blocks of the vector that the rows of a rank need.
struct neighbor_counts {
    neighbor_count others;   ///< without the rank's own block
    neighbor_count with_own; ///< with the rank's own block if its rows need it
};

/// Counts the communication partners that each of `ranks` ranks would have in a product of the matrix.
/// Collective: yes, with equal arguments on all ranks. Blocks: until all ranks have called. Cost: O(entries /
/// P), one exchange of the distinct pairs of blocks, one small all-reduce; with `block_layout::entries` also
/// a prefix sum, an exchange that tells every rank where all blocks begin, and O(`ranks`) memory. Throws:
/// `usage_error` if `ranks` is less than 1, `mpi_error`. Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010,
/// Table 3.
[[nodiscard]] neighbor_counts count_neighbors(sparse_matrix const& matrix, int ranks, block_layout layout);

} // namespace weft
