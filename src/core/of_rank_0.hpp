/// Broadcasts a text from rank 0 while a communicator is made. Private.
#pragma once

#include "door.hpp"

#include <functional>
#include <string>

namespace weft {

/// Returns on all ranks the result of `read` on rank 0. If it throws there, all ranks throw, for any
/// exception. Collective.
[[nodiscard]] std::string of_rank_0(
    all_ranks_here here, MPI_Comm comm, std::function<std::string()> const& read);

} // namespace weft
