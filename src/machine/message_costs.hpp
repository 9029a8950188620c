/// The costs of single messages on a machine that was measured. Private.
#pragma once

#include <weft/machine/machine_model.hpp>

namespace weft {

/// The ways to receive a message, which `weft tune` measures apart.
enum class reception {
    known,       ///< by a receive of known source and size
    probed,      ///< after a probe
    synchronous, ///< after a probe, where the sender waits to hear of it
};

/// Returns the seconds by which a message takes longer to its receiver than L + 2o and `transfer_seconds`:
/// what a phase of such messages took beyond these. 0 where nothing was measured. Local.
[[nodiscard]] double reception_seconds(network_model const& network, reception how, double bytes);

} // namespace weft
