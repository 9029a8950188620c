/// One round of flags in shared memory: the limit of finding out that nothing is under way.
#pragma once

#include "shared_block.hpp"

#include <atomic>
#include <cstdint>

namespace weft::limits {

/// Every rank writes its own cache line and reads the lines of the others.
class flag_round {
public:
    /// Collective. Throws: `usage_error`, on all ranks, where they do not all share memory.
    explicit flag_round(communicator const& comm);

    /// Returns when all ranks have begun the round. Collective.
    void round() noexcept;

private:
    using flag = std::atomic<std::uint64_t>;

    shared_block memory_;
    std::uint64_t round_ = 0;
    flag* mine_;
    std::vector<flag const*> others_;
};

/// What MPI has for the same.
class mpi_round {
public:
    explicit mpi_round(communicator const& comm) : comm_(comm) {}

    /// One MPI_Barrier. Collective.
    void round() const { check_mpi(MPI_Barrier(native_handle(comm_)), "MPI_Barrier"); }

private:
    communicator comm_;
};

} // namespace weft::limits
