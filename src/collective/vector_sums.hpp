/// Sums over vectors whose elements are spread over the ranks.
#pragma once

#include <weft/core/communicator.hpp>

#include <span>

namespace weft {

/// Of the elements of all ranks; NaN where an element is no finite number.
struct vector_sums {
    double sum = 0;
    double abs_sum = 0; ///< of the absolute values
    double norm2 = 0;   ///< the square root of the sum of squares
};

/// Adds up a vector in integers of 126 bits that are scaled by its largest element: the result is the same to
/// the last bit however the elements are ordered and dealt to ranks, and exact for integers of less than
/// 2^53; each other element loses at most 2^-124 of n times the largest.
/// Collective: yes. Blocks: until all ranks have called. Cost: four censuses, O(n / P). Throws: `mpi_error`.
[[nodiscard]] vector_sums find_sums(communicator const& comm, std::span<double const> mine);

} // namespace weft
