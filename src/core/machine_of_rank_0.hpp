/// The machine model that all ranks of a job share. Private.
#pragma once

#include "communicator_state.hpp"

#include <functional>
#include <memory>
#include <string>

namespace weft {

/// What `read` returns on rank 0, on all ranks; what it throws there, whatever that is, all throw.
/// Collective.
[[nodiscard]] std::string of_rank_0(
    all_ranks_here here, MPI_Comm comm, std::function<std::string()> const& read);

/// The model that the settings name, or that lies where `weft tune` writes it, or else the built-in one; with
/// one of a file, the choices stored beside it. Only rank 0 reads files; all ranks parse their text.
/// Collective. Throws: `io_error`, the same on all ranks, if the file that the settings name cannot be used;
/// what is wrong with another is a warning.
[[nodiscard]] std::shared_ptr<agreed_machine const> machine_of_rank_0(
    all_ranks_here here, MPI_Comm comm, settings const& chosen);

} // namespace weft
