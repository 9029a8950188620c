#include "routes.hpp"

#include <algorithm>
#include <array>

namespace weft {

route fastest_route(topology const& nodes, machine_model const& machine, std::int64_t buffer_bytes) {
    if (nodes.node_count() == 1) return route::direct;
    double const others = nodes.node_count() - 1;
    double const cores = nodes.largest_node();
    struct way {
        route how;
        double partners; // on other nodes
        double copies;   // of a byte, beside those of every way
    };
    std::array const ways{way{route::direct, others * cores, 0}, way{route::node_remote, others, 1},
        way{route::nlnr, std::max(1.0, others / cores), 2}};
    auto const seconds_per_byte = [&](way const& taken) {
        constexpr double longest = 65536;
        double const bytes =
            std::min(longest, std::max(1.0, static_cast<double>(buffer_bytes) / taken.partners));
        loggp const& net = machine.between.parameters;
        double const message = net.overhead * 2 + std::max(net.gap, transfer_seconds(machine.between, bytes));
        return message / bytes + taken.copies * machine.copy_per_byte;
    };
    return std::ranges::min(ways, {}, seconds_per_byte).how;
}

} // namespace weft
