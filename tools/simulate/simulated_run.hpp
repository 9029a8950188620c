/// A run on a simulated machine: the machine, its nodes, and the row of the table that comes of it.
#pragma once

#include "simulation.hpp"

#include <weft/core/topology.hpp>
#include <weft/extend/transport/simulated_machine.hpp>

#include <chrono>
#include <string>

namespace weft::tool {

/// Its wall time begins when it is made, and ends with its row.
class simulated_run {
public:
    /// `model` is that of the machine, or one that stands for it.
    simulated_run(named_machine const& on, machine_model const& model, int ranks);

    [[nodiscard]] simulated_machine& machine() noexcept { return machine_; }
    /// The nodes as rank 0 sees them.
    [[nodiscard]] topology const& nodes() const noexcept { return nodes_; }

    [[nodiscard]] simulation_result row(
        std::string engine, std::string subject, int degree, std::string bytes, int rounds = 1) const;

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::string name_;
    simulated_machine machine_;
    topology nodes_;
};

} // namespace weft::tool
