/// The simulations of `weft simulate`: each declares its options and fills a table.
#pragma once

#include "command.hpp"

#include <weft/machine/machine_model.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weft::tool {

/// A machine and what it is called.
struct named_machine {
    std::string name;
    machine_model model;
};

/// One row of the table, and of the CSV file.
struct simulation_result {
    std::string engine;  ///< exchange, ...
    std::string subject; ///< what was chosen among those that do the same
    std::string machine;
    int ranks = 0;
    int degree = 0;
    std::string bytes;
    int rounds = 0;
    double simulated_seconds = 0; ///< of all rounds
    double wall_seconds = 0;
    std::int64_t messages = 0;
    std::string page = {};         ///< timelines of ranks in HTML; empty where none were asked for
    std::int64_t bytes_a_rank = 0; ///< the most memory that the process had for a simulated rank
};

/// Options that simulations have in common.
struct simulation_options {
    std::vector<named_machine> machines;
    std::vector<int> ranks;
    std::uint64_t seed = 1;
};

class simulation : public selectable {
public:
    /// Gives its results to `report` one by one.
    virtual void run(
        simulation_options const& options, std::function<void(simulation_result const&)> const& report) = 0;
};

std::unique_ptr<simulation> make_simulate_exchange(CLI::App& simulate);
std::unique_ptr<simulation> make_simulate_mailbox(CLI::App& simulate);
std::unique_ptr<simulation> make_simulate_iexchange(CLI::App& simulate);
std::unique_ptr<simulation> make_simulate_reduce(CLI::App& simulate);
std::unique_ptr<simulation> make_simulate_frames(CLI::App& simulate);
std::unique_ptr<simulation> make_simulate_bfs(CLI::App& simulate);
std::unique_ptr<simulation> make_simulate_components(CLI::App& simulate);
std::unique_ptr<simulation> make_simulate_spmv(CLI::App& simulate);
std::unique_ptr<simulation> make_simulate_union_find(CLI::App& simulate);
std::unique_ptr<simulation> make_simulate_tracing(CLI::App& simulate);

} // namespace weft::tool
