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

/// Returns the communicator of Weft for an MPI communicator. The first call for `parent` duplicates `parent`,
/// and stores the duplicate as an attribute of `parent`; the duplicate is freed with `parent`. Later calls
/// use this duplicate. Collective: yes, over `parent`, the first time; local afterwards. Blocks: until all
/// ranks have called. Cost: one MPI_Comm_dup, one split by node, O(P) memory for the topology. Once an
/// exchange has used `protocol::rsx` on the result, MPI_Comm_free of `parent` waits for all ranks. Throws:
/// `usage_error` (on all ranks if a `WEFT_*` variable of rank 0 has an invalid value; if MPI has been
/// finalised; if this rank is simulated), `io_error` (on all ranks if WEFT_MACHINE names a file that cannot
/// be used), `mpi_error`.
[[nodiscard]] communicator make_communicator(MPI_Comm parent);

/// Returns the MPI communicator that Weft uses for a communicator, a private duplicate: do not send on it.
/// Local. Throws: `usage_error` if the ranks are simulated (WEFT_SIMULATE).
[[nodiscard]] MPI_Comm native_handle(communicator const& comm);

/// Throws `mpi_error` with MPI's text for `code`. Local.
[[noreturn]] void throw_mpi_error(int code, char const* call);

/// Throws `mpi_error` with MPI's text when `code` is not MPI_SUCCESS. Local.
inline void check_mpi(int code, char const* call) {
    if (code != MPI_SUCCESS) throw_mpi_error(code, call);
}

} // namespace weft
