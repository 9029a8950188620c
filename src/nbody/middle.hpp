/// The origin that places are counted from. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/nbody/particle.hpp>

#include <array>
#include <span>

namespace weft::nbody {

/// The median of all particles along each axis, to 32 bits of its fraction, where it is far from 0 for the
/// distance between their quartiles; else 0. A few escapers do not move it. The same bits at any number of
/// ranks, on all of them. Collective: yes. Cost: four passes and four reductions of 18,432 numbers.
[[nodiscard]] std::array<double, 3> middle_of(communicator const& comm, std::span<particle const> particles);

} // namespace weft::nbody
