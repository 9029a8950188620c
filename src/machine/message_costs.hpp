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

/// Returns the seconds by which receiving a message takes longer than L + 2o and `transfer_seconds`, as
/// measured in phases of such messages. 0 if nothing was measured. Local.
[[nodiscard]] double reception_seconds(network_model const& network, reception how, double bytes);

/// Returns the costs that were measured on the most ranks up to `ranks`, or on the fewest if all are beyond.
/// Something must have been measured. Local.
[[nodiscard]] measured_costs const& costs_up_to(network_model const& network, int ranks) noexcept;

} // namespace weft
