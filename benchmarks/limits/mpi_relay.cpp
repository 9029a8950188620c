#include "mpi_relay.hpp"

#include <cstdint>

namespace weft::limits {

mpi_relay::mpi_relay(communicator const& comm) : comm_(comm) {
    check_mpi(MPI_Comm_dup(native_handle(comm), &duplicate_), "MPI_Comm_dup");
}

mpi_relay::~mpi_relay() {
    MPI_Comm_free(&duplicate_);
}

void mpi_relay::run(int times) const {
    int const ranks = comm_.size();
    if (ranks == 1) return; // MPI_Send to oneself may wait for ever
    int const next = (comm_.rank() + 1) % ranks;
    int const previous = (comm_.rank() + ranks - 1) % ranks;
    std::uint64_t message = 0;
    for (int i = 0; i < times; ++i) {
        if (comm_.rank() == 0) MPI_Send(&message, 1, MPI_UINT64_T, next, 0, duplicate_);
        MPI_Recv(&message, 1, MPI_UINT64_T, previous, 0, duplicate_, MPI_STATUS_IGNORE);
        if (comm_.rank() != 0) MPI_Send(&message, 1, MPI_UINT64_T, next, 0, duplicate_);
    }
}

} // namespace weft::limits
