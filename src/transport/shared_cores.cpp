#include "shared_cores.hpp"

#include <machine/message_costs.hpp>

#include <algorithm>
#include <stdexcept>

namespace weft {

namespace {

void take_costs_of(network_model& network, int ranks) {
    if (network.measured.empty()) return;
    for (measured_costs const& each : network.measured)
        for (auto const* const list :
            {&each.known.first, &each.known.more, &each.probed.first, &each.synchronous.first})
            if (list->size() != std::size(measured_bytes))
                throw std::invalid_argument(
                    "simulated_machine: measured costs need a time for each size in `measured_bytes`");
    bool const larger = ranks > network.measured.back().ranks;
    measured_costs const costs = larger ? network.measured.front() : costs_up_to(network, ranks);
    measured_costs const& fewest = network.measured.front();
    loggp& p = network.parameters;
    double const longer = std::max(costs.known.first.front() - fewest.known.first.front(), 0.0);
    // Where ranks share cores, a message takes more of the time of each.
    double const busier = std::max(costs.known.more.front() - fewest.known.more.front(), 0.0);
    p.latency += std::max(longer - 2 * busier, 0.0);
    p.overhead += busier;
    p.gap += busier;
    network.measured = {costs};
}

} // namespace

machine_model with_costs_of(machine_model machine, int ranks) {
    int const of_node = machine.simulation.ranks_per_node;
    take_costs_of(machine.inside, std::min(ranks, of_node));
    take_costs_of(machine.between, (ranks + of_node - 1) / of_node);
    return machine;
}

std::vector<machine_model> costs_of_shared_cores(machine_model const& machine, int ranks) {
    int const of_node = machine.simulation.ranks_per_node;
    if (of_node > 1 && ranks > of_node) return {};
    network_model const& network = of_node > 1 ? machine.inside : machine.between;
    if (network.measured.size() < 2 || ranks > network.measured.back().ranks) return {};
    auto const time_of_more = [&](int busy) { return costs_up_to(network, busy).known.more.front(); };
    constexpr double apart = 1.25; // less is noise
    if (time_of_more(ranks) < apart * time_of_more(2)) return {};
    std::vector<machine_model> made;
    for (int busy = 2; busy <= ranks; ++busy) made.push_back(with_costs_of(machine, busy));
    return made;
}

} // namespace weft
