/// The machine model of a communicator, as seen by the core. Private.
///
/// A communicator has its model from the beginning, but the module `machine`, which reads models, is
/// above the core. So these functions are declared here and defined in
/// src/machine/machine_of_rank_0.cpp.
#pragma once

#include "door.hpp"

#include <weft/core/settings.hpp>

#include <memory>
#include <string>

namespace weft {

struct agreed_machine; // src/machine/machine_of_rank_0.hpp

/// Returns the model named by the settings, or else the one written by `weft tune`, or else the built-in one;
/// with a model from a file, the choices stored beside it. Only rank 0 reads files; all ranks parse their
/// text. Collective. Throws: `io_error`, the same on all ranks, if the file named by the settings cannot be
/// used; a problem with another file is a warning.
[[nodiscard]] std::shared_ptr<agreed_machine const> machine_of_rank_0(
    all_ranks_here here, MPI_Comm comm, settings const& chosen);

/// Returns the warning that belongs to a model; empty if all is well.
[[nodiscard]] std::string const& warning_of(agreed_machine const& machine) noexcept;

} // namespace weft
