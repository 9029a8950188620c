/// MPI_Reduce and MPI_Reduce_scatter by the algorithms that MPI libraries take, as steps of one rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::tool {

/// A message each way at the same time, then some bytes combined.
struct reduction_step {
    int to = -1; ///< -1: nothing is sent
    std::int64_t sent_bytes = 0;
    int from = -1; ///< -1: nothing is received
    std::int64_t received_bytes = 0;
    std::int64_t combined_bytes = 0;
};

/// The steps of a rank, for an array of `bytes` bytes at each:
/// * `binomial`: MPI_Reduce to rank 0 along a binomial tree;
/// * `rabenseifner`: MPI_Reduce by recursive halving, and the shares gathered along a binomial tree;
/// * `halving`: MPI_Reduce_scatter by recursive halving;
/// * `pairwise`: MPI_Reduce_scatter with a message between each two ranks.
/// Where the ranks are no power of two, some hand their array to a neighbour first and take no further part
/// until they get their share. Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005. Throws:
/// `usage_error` for another name.
[[nodiscard]] std::vector<reduction_step> usual_reduction(
    std::string const& algorithm, int rank, int ranks, std::int64_t bytes);

} // namespace weft::tool
