/// The machine model that all ranks of a job share. Private.
#pragma once

#include "communicator_state.hpp"

#include <memory>
#include <string>

namespace weft {

/// Gives the text of rank 0 to all ranks. Collective.
void broadcast(MPI_Comm comm, std::string& text);

/// The model that the settings name, or that lies where `weft tune` writes it, or else the built-in one. Only
/// rank 0 reads the file; all ranks parse its text. Collective. Throws: `io_error`, the same on all ranks, if
/// the file that the settings name cannot be used; what is wrong with another is a warning.
[[nodiscard]] std::shared_ptr<agreed_machine const> machine_of_rank_0(MPI_Comm comm, settings const& chosen);

} // namespace weft
