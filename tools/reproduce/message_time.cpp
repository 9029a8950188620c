#include "message_time.hpp"

#include <weft/extend/transport/simulated_machine.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace weft::tool {

namespace {

/// When the sender knows its messages to be complete, and when their receiver has all of them.
struct stream_times {
    double sender = 0;
    double receiver = 0;
};

/// So many messages from one rank to another on another node.
stream_times stream(machine_model machine, int messages, std::int64_t bytes, send_mode mode) {
    machine.simulation.ranks_per_node = 1;
    simulated_machine two(machine, 2);
    std::vector<std::byte> out(static_cast<std::size_t>(bytes));
    std::vector<std::byte> in(out.size() * static_cast<std::size_t>(messages));
    std::vector<request> pending[2];
    stream_times found;
    two.run([&](int rank) {
        transport& via = two.at(rank);
        auto& mine = pending[rank];
        if (mine.empty())
            for (int each = 0; each < messages; ++each)
                mine.push_back(rank == 0 ? via.send(1, 0, out, mode)
                                         : via.receive(0, 0,
                                               std::span(in).subspan(
                                                   static_cast<std::size_t>(each) * out.size(), out.size())));
        bool complete = true;
        for (request& each : mine) complete = via.test(each) && complete;
        if (!complete) return progress::none;
        (rank == 0 ? found.sender : found.receiver) = via.seconds();
        return progress::done;
    });
    return found;
}

} // namespace

double latency_seconds(machine_model const& machine, std::int64_t bytes, send_mode mode) {
    stream_times const times = stream(machine, 1, bytes, mode);
    double const overhead = machine.between.parameters.overhead;
    double const there = times.receiver - 2 * overhead;
    return mode == send_mode::standard ? there : std::max(there, times.sender - overhead);
}

double seconds_between_messages(machine_model const& machine) {
    constexpr int more = 100;
    return (stream(machine, more + 1, 1, send_mode::standard).receiver -
               stream(machine, 1, 1, send_mode::standard).receiver) /
           more;
}

} // namespace weft::tool
