/// What `weft tune` measures on one group of ranks.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/machine/machine_model.hpp>

namespace weft::tool {

/// The collectives and the phases of messages on all ranks of a communicator: medians over interleaved
/// repetitions of what the slowest rank took. The same on all ranks. Collective. `seconds` is about how long
/// it takes, half as much again where single runs are long.
[[nodiscard]] measured_costs measure_group(communicator const& comm, double seconds);

/// Seconds that a rank takes for an exchange in which nobody sends: what each has to do beside messages.
/// Collective.
[[nodiscard]] double measure_exchange_overhead(communicator const& comm);

/// Seconds that a rank takes to copy a byte while all ranks copy. Collective.
[[nodiscard]] double measure_copying(communicator const& comm);

/// Seconds per byte by which memory passes between ranks of a node more slowly than within one, while all
/// pairs of ranks pass some, in the faster way; 0 if ranks share no memory. Collective.
[[nodiscard]] double measure_handover(communicator const& comm);

} // namespace weft::tool
