/// Shared memory of the operating system, found through MPI. Private.
#pragma once

#include <core/door.hpp>

#include <weft/core/topology.hpp>
#include <weft/extend/transport/shared_memory.hpp>
#include <weft/mpi.hpp>

#include <cstddef>

namespace weft {

/// As `transport::share`.
///
/// Not by MPI_Win_allocate_shared: freeing that is collective, a mailbox's end is not; and Open MPI 4.1 gives
/// windows of communicators without a common rank the same memory where their context ids are equal (ADR 12).
[[nodiscard]] shared_memory share_memory(
    all_ranks_here here, MPI_Comm comm, topology const& nodes, std::size_t bytes);

} // namespace weft
