/// A plan of a random program on this rank.
#pragma once

#include "session.hpp"
#include "traffic.hpp"

#include <weft/exchange/exchange_plan.hpp>

namespace random_programs {

struct live_plan {
    live_group group;
    operation made_by;
    weft::exchange_plan plan;
};

/// Returns the traffic of the plan on its communicator.
[[nodiscard]] inline traffic traffic_of(live_plan const& of) {
    return {of.made_by, of.group.name};
}

} // namespace random_programs
