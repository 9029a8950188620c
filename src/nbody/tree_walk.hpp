/// Forces on the particles of a rank, by a walk of its tree.
#pragma once

#include "source_tree.hpp"

#include <weft/nbody/particle.hpp>

#include <cstdint>
#include <span>

namespace weft::nbody {

/// Sets `forces`, for G = 1, and the work of each particle. Particles must be in the order of their keys;
/// `tree` has them and all other sources that attract them. Returns the number of interactions: pairs of a
/// particle and a cell or source. Local. Cost: O(n log n). Groups of particles walk together, but the opening
/// rule is applied to each particle.
std::int64_t walk_tree(source_tree const& tree, opening_rule const& rule, unit_cube const& cube,
    std::span<particle> particles, std::span<attraction> forces);

} // namespace weft::nbody
