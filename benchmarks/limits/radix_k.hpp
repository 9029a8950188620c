/// Radix-k by hand: each round, groups of ranks swap shares of an array, and each combines its own.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/collective/array_call.hpp>
#include <weft/mpi.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace weft::limits {

/// A lean program for arrays of one length and groups of one size list: no errors are looked for, nothing is
/// chosen. Segments of a share are combined while the next ones travel. Source: Peterka, Goodell, Ross, Shen,
/// Thakur, A configurable algorithm for parallel image-compositing applications, SC 2009.
class radix_k {
public:
    /// The sizes of the groups multiply to the number of ranks.
    radix_k(communicator const& comm, std::vector<int> group_sizes);

    /// In the order of the ranks. Afterwards the returned elements are complete. Collective.
    element_range run(std::span<std::byte> data, std::size_t element_bytes, array_operator& how);

private:
    element_range run_round(std::span<std::byte> data, std::size_t element_bytes, element_range mine,
        int size, int stride, array_operator& how);

    MPI_Comm comm_;
    int rank_;
    std::vector<int> group_sizes_;
    std::vector<std::byte> room_;
    std::vector<MPI_Request> sends_;
    std::vector<MPI_Request> receives_;
};

} // namespace weft::limits
