/// A sparse exchange without Weft: the baselines of `weft-bench exchange`.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/mpi.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace weft::tool {

/// To one rank: the first bytes of the payload.
struct raw_message {
    int target;
    std::size_t bytes;
};

/// Someone else's sparse exchange of parts of one payload to several ranks.
class raw_exchange {
public:
    raw_exchange() = default;
    raw_exchange(raw_exchange const&) = delete;
    raw_exchange& operator=(raw_exchange const&) = delete;
    virtual ~raw_exchange() = default;

    /// Collective. A message has at most the bytes of the payload; for PETSc all have the same number of
    /// them.
    virtual void round(std::span<raw_message const> messages, std::span<std::byte const> payload) = 0;
};

/// The textbook NBX over a duplicate of the communicator, correct back to back through two tags by parity.
std::unique_ptr<raw_exchange> make_raw_nbx(communicator const& comm);
/// The sizes by MPI_Alltoall, the data by MPI_Alltoallv.
std::unique_ptr<raw_exchange> make_raw_alltoallv(communicator const& comm);
/// PETSc's PetscCommBuildTwoSided, where its library is installed and built on the same MPI; null elsewhere.
std::unique_ptr<raw_exchange> make_petsc_two_sided(communicator const& comm);

} // namespace weft::tool
