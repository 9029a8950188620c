/// All simulations under one parser, for `weft simulate` and for commands that run its lines.
#pragma once

#include "simulation.hpp"

#include <weft/core/communicator.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weft::tool {

/// The simulations below a parser, with the options that all of them have.
class simulation_set {
public:
    /// Adds a command for each simulation to `parser`, which must outlive this.
    explicit simulation_set(CLI::App& parser);

    /// Runs what was parsed. Local. Throws: `io_error` where a machine cannot be read.
    void run(communicator const& comm, std::function<void(simulation_result const&)> const& report);

    [[nodiscard]] std::vector<std::string> const& machines() const noexcept { return machines_; }
    [[nodiscard]] std::uint64_t seed() const noexcept { return options_.seed; }

private:
    std::vector<std::unique_ptr<simulation>> simulations_;
    simulation_options options_{{}, {64, 1024}, 1};
    std::vector<std::string> machines_{"this"};
};

/// The rows of a line such as "exchange --machine jaguar --ranks 64", as `weft simulate` takes it. Local.
/// Throws: `std::logic_error` where the line is not understood; what the simulation throws.
[[nodiscard]] std::vector<simulation_result> simulate_line(communicator const& comm, std::string const& line);

} // namespace weft::tool
