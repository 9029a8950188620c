/// The transport over MPI.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/transport/transport.hpp>

namespace weft {

/// The transport of a communicator, over MPI or where its ranks are simulated over their machine; made on
/// first use, it lives as long as the communicator. Local.
[[nodiscard]] transport& transport_of(communicator const& comm);

} // namespace weft
