/// Shared memory of the operating system, found through MPI. Private.
#pragma once

#include <core/door.hpp>

#include <weft/core/topology.hpp>
#include <weft/extend/transport/shared_memory.hpp>
#include <weft/mpi.hpp>

#include <cstddef>

namespace weft {

/// See `transport::share`.
///
/// MPI_Win_allocate_shared is not used: freeing its window is collective, which the end of a mailbox is not;
/// and Open MPI 4.1 gives windows of disjoint communicators with equal context ids the same memory (ADR 12).
[[nodiscard]] shared_memory share_memory(
    all_ranks_here here, MPI_Comm comm, topology const& nodes, std::size_t bytes);

} // namespace weft
