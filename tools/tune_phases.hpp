/// The phases of messages that `weft tune` times: what the protocols do once it is known who sends.
#pragma once

#include <weft/core/machine_model.hpp>
#include <weft/transport/transport.hpp>

#include <cstddef>
#include <vector>

namespace weft::tool {

/// How the messages of a phase are sent and received.
enum class delivery {
    known,       ///< standard sends, receives of known source and size
    probed,      ///< standard sends, received after a probe
    synchronous, ///< synchronous sends, received after a probe
};

/// Runs `rounds` phases: in each, every rank sends `batch` messages of `bytes` bytes, to the ranks after it
/// in turn, and receives as many. Collective over the ranks of the transport, which has at least two.
void run_phases(transport& via, delivery how, std::size_t bytes, int batch, int rounds);

/// The middle value; of an even number the upper one.
[[nodiscard]] double median(std::vector<double> values);

/// The parameters of LogGP between ranks 0 and 1 of a transport of two, and what a synchronous send of a
/// small message takes beyond a standard one; on rank 0. Collective. `seconds` is about how long it takes.
[[nodiscard]] network_model measure_pair(transport& via, double seconds);

} // namespace weft::tool
