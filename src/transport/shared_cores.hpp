/// Costs of ranks that share cores on a simulated machine. Private.
#pragma once

#include <weft/machine/machine_model.hpp>

#include <vector>

namespace weft {

/// Returns the machine with the costs that were measured on `ranks` ranks, which may have to wait for cores;
/// with those of the fewest ranks if no measurement has as many, since a larger machine has more cores.
/// Throws `std::invalid_argument` if measured costs lack a size.
[[nodiscard]] machine_model with_costs_of(machine_model machine, int ranks);

/// Returns the machine as two ranks find it that exchange a message while 0, 1, 2 and more others work: a
/// rank that waits leaves its core to them. Empty where messages of more ranks do not take longer, or where
/// some of these ranks are on one node and others are not. Throws as `with_costs_of` does.
[[nodiscard]] std::vector<machine_model> costs_of_shared_cores(machine_model const& machine, int ranks);

} // namespace weft
