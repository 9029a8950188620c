/// The costs of single messages on a machine that was measured. Private.
#pragma once

#include <weft/machine/machine_model.hpp>

namespace weft {

/// The ways to receive a message, which `weft tune` measures separately.
enum class reception {
    known,       ///< by a receive of known source and size
    probed,      ///< after a probe
    synchronous, ///< after a probe, while the sender waits for the match
};

/// As `transfer_seconds`, for a message that follows another of the same ranks at once, so that the ranks do
/// not wait for each other again. Local.
[[nodiscard]] double further_transfer_seconds(network_model const& network, double bytes);

/// Returns the seconds by which receiving a message takes longer than L + 2o and `transfer_seconds`, as
/// measured in phases of such messages. 0 if nothing was measured. Local.
[[nodiscard]] double reception_seconds(network_model const& network, reception how, double bytes);

/// Returns true if ranks of a node share memory on the simulated machine: the model has a cost of shared
/// memory, or costs inside a node that differ from those between nodes. Local.
[[nodiscard]] inline bool has_shared_memory(machine_model const& machine) noexcept {
    return machine.handover_per_byte > 0 || machine.inside != machine.between;
}

/// Returns the costs that were measured on the most ranks up to `ranks`, or on the fewest if all are beyond.
/// Something must have been measured. Local.
[[nodiscard]] measured_costs const& costs_up_to(network_model const& network, int ranks) noexcept;

} // namespace weft
