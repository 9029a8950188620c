/// One run of a program on simulated ranks, and many runs under an adversary. Private.
#pragma once

#include "simulated_program.hpp"

#include <functional>
#include <string>

namespace weft {

using simulated_body = std::function<int(communicator const&)>;

/// A program, and the machine to simulate.
struct simulated_job {
    std::string name; ///< name of the program, for its messages
    simulation_options options;
    settings chosen;
    simulated_body const* body = nullptr;
};

/// Returns the failure of a run, in a line; empty if there is none.
[[nodiscard]] std::string failure_of(simulated_program& program, bool ended);
/// Returns the exit code of a run without failure.
[[nodiscard]] int code_of(simulated_program const& program, int ranks);

/// Runs the program once, reports the result on standard error, and returns its exit code.
[[nodiscard]] int run_once_and_tell(simulated_job const& job, deviations* departs,
    arrival_order* order = nullptr, simulated_program::limits const& most = {});

/// Searches for failing runs, as WEFT_ADVERSARY describes. Returns 0 if it finds none.
[[nodiscard]] int run_under_adversary(simulated_job const& job);

} // namespace weft
