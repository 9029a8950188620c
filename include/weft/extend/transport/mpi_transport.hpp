/// The transport over MPI.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/transport/transport.hpp>

namespace weft {

/// Returns the transport of a communicator, over MPI or, for simulated ranks, over their machine. It is made
/// on first use and destroyed with the communicator. Local.
[[nodiscard]] transport& transport_of(communicator const& comm);

} // namespace weft
