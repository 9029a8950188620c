#include "simulated_run.hpp"

#include <utility>
#include <vector>

namespace weft::tool {

namespace {

topology topology_of(simulated_machine const& machine) {
    std::vector<int> node;
    for (int rank = 0; rank < machine.size(); ++rank) node.push_back(machine.node_of(rank));
    return {0, node};
}

} // namespace

simulated_run::simulated_run(named_machine const& on, machine_model const& model, int ranks)
    : name_(on.name), machine_(model, ranks), nodes_(topology_of(machine_)) {
}

simulation_result simulated_run::row(
    std::string engine, std::string subject, int degree, std::string bytes, int rounds) const {
    std::chrono::duration<double> const wall = std::chrono::steady_clock::now() - start_;
    return {std::move(engine), std::move(subject), name_, machine_.size(), degree, std::move(bytes), rounds,
        machine_.seconds(), wall.count(), machine_.messages()};
}

} // namespace weft::tool
