/// Forces on the particles of a rank by a walk of its tree.
#pragma once

#include "source_tree.hpp"

#include <weft/nbody/particle.hpp>

#include <cstdint>
#include <span>

namespace weft::nbody {

/// Sets `forces`, for G = 1, and the work of each particle. The particles lie in the order of their keys;
/// `tree` has them as sources, and all else that they attract. Returns the number of interactions: pairs of a
/// particle and a cell or source. Local. Cost: O(n log n); groups of particles walk together, each by its own
/// rule.
std::int64_t walk_tree(source_tree const& tree, opening_rule const& rule, unit_cube const& cube,
    std::span<particle> particles, std::span<attraction> forces);

} // namespace weft::nbody
