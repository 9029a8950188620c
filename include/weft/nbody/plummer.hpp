/// Generates a star cluster in equilibrium.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/nbody/particle.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Options of `generate_plummer`, equal on all ranks.
struct plummer_options {
    std::int64_t particles = 10000; ///< The number of particles on all ranks together.
    std::uint64_t seed = 1;         ///< Seed of the random numbers.
};

/// Makes this rank's share of a Plummer sphere in standard units: G = 1, mass 1, energy about -1/4, so that a
/// star crosses the sphere in 2.8 units of time. A particle depends on the seed and its index alone.
/// Collective: yes. Blocks: until all ranks have made their particles. Cost: O(n / P) and a small all-reduce.
/// Order: particles ascend by index over all ranks; rank 0 has the lowest indices. Throws: `usage_error` on
/// all ranks for a negative number of particles and for options that differ between ranks. Source: Aarseth,
/// Henon, Wielen, Astron. Astrophys. 37, 1974.
[[nodiscard]] std::vector<particle> generate_plummer(
    communicator const& comm, plummer_options const& options = {});

} // namespace weft
