/// Chooses the origin from which places are counted. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>
#include <weft/nbody/particle.hpp>

#include <array>
#include <span>

namespace weft::nbody {

/// Returns the median of all particles along each axis, to 32 bits of its order, if its distance from 0 is
/// large compared to the distance of the quartiles; else 0. A few distant particles do not change it. The
/// same bits on all ranks, at any number of ranks. Collective: yes, within a gate. Cost: four passes and four
/// reductions of 18,432 numbers. Throws: the errors kept in the gate, and for lack of memory, agreed.
[[nodiscard]] std::array<double, 3> middle_of(gate& call, std::span<particle const> particles);

} // namespace weft::nbody
