/// Ends a rank after an error of a call of MPI by the runtime. Private.
#pragma once

#include <weft/mpi.hpp>

namespace weft {

/// Handles the error of `expect_mpi`. Defined in src/transport/mpi_transport.cpp, which knows the failures of
/// ranks.
[[noreturn]] void end_by_mpi_error(int code, char const* call);

/// Throws `mpi_error` if `code` is not MPI_SUCCESS; then this rank has failed alone. The state of MPI after
/// an error is undefined, so messages cannot be trusted to notify the other ranks, which may block in the
/// call that this rank does not make. For calls of the runtime on its own communicators; `check_mpi` checks
/// those of users. Local.
inline void expect_mpi(int code, char const* call) {
    if (code != MPI_SUCCESS) end_by_mpi_error(code, call);
}

} // namespace weft
