/// The end of a rank by an error that a call of MPI returns to the runtime. Private.
#pragma once

#include <weft/mpi.hpp>

namespace weft {

/// What `expect_mpi` does with an error. Defined in src/transport/mpi_transport.cpp, where the failures of
/// ranks are known.
[[noreturn]] void end_by_mpi_error(int code, char const* call);

/// Throws `mpi_error` where `code` is not MPI_SUCCESS, and this rank has failed alone: MPI says nothing of
/// the state that it is in after an error, so that no message can be trusted to tell the others, and they may
/// block in the call that this rank does not make. It is for calls of the runtime on its own communicators;
/// those of users are checked by `check_mpi`. Local.
inline void expect_mpi(int code, char const* call) {
    if (code != MPI_SUCCESS) end_by_mpi_error(code, call);
}

} // namespace weft
