/// Text of rank 0 on all ranks, while a communicator is made. Private.
#pragma once

#include "door.hpp"

#include <functional>
#include <string>

namespace weft {

/// What `read` returns on rank 0, on all ranks; what it throws there, whatever that is, all throw.
/// Collective.
[[nodiscard]] std::string of_rank_0(
    all_ranks_here here, MPI_Comm comm, std::function<std::string()> const& read);

} // namespace weft
