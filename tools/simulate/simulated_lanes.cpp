#include "simulated_lanes.hpp"

#include <io/timeline/timeline_picture.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft::tool {

simulated_lanes::simulated_lanes(simulated_machine& machine, int shown)
    : machine_(machine), lanes_(static_cast<std::size_t>(std::min(shown, machine.size()))) {
}

void simulated_lanes::compute(int rank, block_id block, double seconds) {
    auto const lane = static_cast<std::size_t>(rank);
    double const begin = machine_.at(rank).seconds();
    machine_.compute(rank, seconds);
    if (lane < lanes_.size() && seconds > 0) lanes_[lane].push_back({begin, begin + seconds, block});
}

std::string simulated_lanes::page(std::string title, bool by_waves) {
    if (lanes_.empty()) return {};
    timeline_picture drawn{std::move(title), {}};
    for (std::size_t rank = 0; rank < lanes_.size(); ++rank) {
        auto const nanoseconds = [](double seconds) { return std::llround(seconds * 1e9); };
        picture_lane& lane = drawn.lanes.emplace_back();
        lane.names = {"callback", "nothing to do", "iexchange"};
        lane.end = nanoseconds(machine_.at(static_cast<int>(rank)).seconds());
        std::int64_t at = 0;
        auto const add = [&](std::int64_t until, std::int32_t name, span_kind kind, std::int64_t number) {
            if (until <= at) return;
            lane.spans.push_back({at, until - at, number, name, 0, static_cast<std::int32_t>(kind), -1});
            lane.totals[static_cast<std::size_t>(kind)] += until - at;
            at = until;
        };
        for (stretch const& each : lanes_[rank]) {
            add(nanoseconds(each.begin), 1, span_kind::wait, -1);
            add(nanoseconds(each.end), 0, span_kind::compute, index_of(each.block));
        }
        add(lane.end, 1, span_kind::wait, -1);
        if (by_waves) lane.operations.push_back({0, lane.end, 0, 2});
    }
    drawn.mark_termination();
    return html_of(drawn);
}

} // namespace weft::tool
