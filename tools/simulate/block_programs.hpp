/// Simulated ranks whose blocks run an application in rounds of a sparse exchange or by iexchange, both with
/// the engines of the library.
#pragma once

#include "block_application.hpp"
#include "simulation.hpp"

#include <weft/core/settings.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::tool {

/// Options that simulations of blocks share.
struct block_run_options {
    std::vector<std::string> by{"exchange", "iexchange"};
    std::string assigned = "contiguous";
    int cores = 0;             ///< ranks a node; 0: as the machine has them
    route how = route::direct; ///< of the mailbox that iexchange sends by
    std::size_t slot_bytes = 131072;
    std::int64_t flush_after =
        0; ///< units of work after which a callback of iexchange flushes; 0: at its end

    void add_to(CLI::App& parser);
};

/// Runs an application on so many simulated ranks by one engine, "exchange" or "iexchange", and checks it.
/// The name of the simulation, its degree and bytes are the caller's. Throws `std::logic_error` where the
/// application is not satisfied.
[[nodiscard]] simulation_result simulate_blocks(named_machine const& on, int ranks, std::string const& engine,
    block_application& application, block_run_options const& options);

} // namespace weft::tool
