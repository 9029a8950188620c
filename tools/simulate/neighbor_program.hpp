/// Simulated ranks that trace particles in rounds with neighbours, of which some messages may come late.
#pragma once

#include "simulated_lanes.hpp"
#include "traced_particles.hpp"

#include <weft/blocks/assignment.hpp>

namespace weft::tool {

/// Runs the blocks in rounds of `neighbor_rounds`, in which each rank waits for this share of the messages of
/// its neighbours, until an all-reduce beside the rounds tells that no particle flies any more. Source:
/// Peterka, Ross, EuroMPI 2012, algorithm 3; block_set::exchange_neighbors.
void trace_among_neighbors(simulated_machine& machine, simulated_lanes& lanes, traced_particles& application,
    assignment const& where, double fraction);

} // namespace weft::tool
