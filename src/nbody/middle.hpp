/// The origin that places are counted from. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>
#include <weft/nbody/particle.hpp>

#include <array>
#include <span>

namespace weft::nbody {

/// The median of all particles along each axis, to 32 bits of its fraction, where it is far from 0 for the
/// distance between their quartiles; else 0. A few escapers do not move it. The same bits at any number of
/// ranks, on all of them. Collective: yes, within a gate. Cost: four passes and four reductions of 18,432
/// numbers. Throws: what the gate has kept, and for want of memory, agreed.
[[nodiscard]] std::array<double, 3> middle_of(gate& call, std::span<particle const> particles);

} // namespace weft::nbody
