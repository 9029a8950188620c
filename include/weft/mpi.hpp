/// Converts MPI communicators to those of Weft and back; the only header that includes <mpi.h>.
#pragma once

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <weft/core/communicator.hpp>

namespace weft {

/// Returns the communicator of Weft for an MPI communicator. The first call for `parent` duplicates it, and
/// attaches the duplicate to it as an attribute, which is freed with `parent`. Later calls find the
/// duplicate. Collective: yes, over `parent`, the first time; local afterwards. Blocks: until all ranks have
/// called. Cost: one MPI_Comm_dup, one split by node, O(P) memory for the topology. Once an exchange has used
/// `protocol::rsx` on the result, MPI_Comm_free of `parent` waits for all ranks. Throws: `usage_error` (on
/// all ranks, a knob in the environment of rank 0 has an invalid value; MPI has been finalised; this rank is
/// simulated), `io_error` (on all ranks, WEFT_MACHINE names a file that cannot be used), `mpi_error`.
[[nodiscard]] communicator make_communicator(MPI_Comm parent);

/// Returns the duplicate that belongs to a communicator: do not send on it. Local. Throws: `usage_error`
/// where the ranks are simulated (WEFT_SIMULATE).
[[nodiscard]] MPI_Comm native_handle(communicator const& comm);

/// Throws `mpi_error` with MPI's text for `code`. Local.
[[noreturn]] void throw_mpi_error(int code, char const* call);

/// Throws `mpi_error` with MPI's text when `code` is not MPI_SUCCESS. Local.
inline void check_mpi(int code, char const* call) {
    if (code != MPI_SUCCESS) throw_mpi_error(code, call);
}

} // namespace weft
