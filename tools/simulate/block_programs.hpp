/// Simulated ranks whose blocks run an application in rounds of a sparse exchange or by iexchange, both with
/// the engines of the library.
#pragma once

#include "block_ranks.hpp"
#include "simulated_lanes.hpp"
#include "simulation.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weft::tool {

/// Options that simulations of blocks share.
struct block_run_options {
    std::vector<int> blocks; ///< of a rank
    std::vector<std::string> by{"exchange", "iexchange"};
    std::string assigned = "contiguous";
    int cores = 0; ///< ranks a node; 0: as the machine has them
    int lanes = 0; ///< ranks in a page of timelines
    block_engines engines{};

    /// Those that helps list first, and the others.
    void add_blocks_to(CLI::App& parser);
    void add_to(CLI::App& parser, std::vector<std::string> const& names = {"exchange", "iexchange"});

    [[nodiscard]] machine_model model_of(named_machine const& machine) const;
    [[nodiscard]] assignment assignment_of(std::int64_t blocks_of_all, int ranks) const;
};

/// Makes an application for this number of blocks.
using application_maker = std::function<std::unique_ptr<block_application>(std::int64_t blocks)>;

/// The row with the page of lanes, if there are any.
[[nodiscard]] simulation_result with_page(simulation_result row, simulated_lanes& lanes);

/// Runs an application on each machine, ranks and blocks by "exchange" or "iexchange" or both, checks it, and
/// reports rows with its `name` and the `bytes` of what blocks send. Throws `std::logic_error` where the
/// application is not satisfied.
void simulate_blocks(simulation_options const& where, block_run_options const& options,
    std::string const& name, std::string const& bytes, application_maker const& make,
    std::function<void(simulation_result const&)> const& report);

} // namespace weft::tool
