/// A small message that goes round all ranks: the one-way time of MPI.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/mpi.hpp>

namespace weft::limits {

/// MPI_Send and MPI_Recv of 8 bytes between neighbours in the ring of ranks.
class mpi_relay {
public:
    /// Collective.
    explicit mpi_relay(communicator const& comm);
    ~mpi_relay();
    mpi_relay(mpi_relay const&) = delete;
    mpi_relay& operator=(mpi_relay const&) = delete;

    /// The message goes round the ring so many times: as many one-way times as there are ranks, each time.
    /// One message is under way at any time. Collective.
    void run(int times) const;

private:
    communicator comm_;
    MPI_Comm duplicate_ = MPI_COMM_NULL;
};

} // namespace weft::limits
