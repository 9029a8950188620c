/// Counts the communication partners of each rank in a sparse matrix-vector product.
#pragma once

#include <weft/graph/sparse_matrix.hpp>

#include <cstdint>

namespace weft {

/// The rule that cuts rows, and elements of the vector, into one block per rank.
enum class block_layout : std::uint8_t {
    floor, ///< Block p begins at floor(n p / P): what `sparse_matrix` does.
    ceil,  ///< Blocks have ceil(n / P) rows; the last ones may be shorter or empty.
    /// Row r is in block floor(P e / E), where e of all E entries are in rows before it, so blocks have about
    /// equal entries; elements of the vector are in blocks as by `floor`.
    entries
};

/// The numbers of partners of the ranks, those without rows among them.
struct neighbor_count {
    double average = 0;       ///< The mean over all ranks.
    std::int64_t largest = 0; ///< The largest number of one rank.
};

/// The blocks of the vector that the rows of one rank need.
struct neighbor_counts {
    neighbor_count others;   ///< without the rank's own block
    neighbor_count with_own; ///< with it, where it is needed
};

/// Counts messages and values of the product on `ranks` ranks, from the matrix alone. Collective: yes, with
/// equal arguments on all ranks. Blocks: until all ranks have called. Cost: O(entries / P), one exchange of
/// the distinct pairs of blocks, one small all-reduce; by `block_layout::entries` also a prefix sum, and an
/// exchange that tells every rank where all blocks begin, O(`ranks`) memory. Throws: `usage_error` for less
/// than one rank, `mpi_error`. Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010, Table 3.
[[nodiscard]] neighbor_counts count_neighbors(sparse_matrix const& matrix, int ranks, block_layout layout);

} // namespace weft
