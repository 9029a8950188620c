/// Particles that attract each other.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// A point mass with its own softening length.
struct particle {
    std::array<double, 3> position{}; ///< Components along x, y and z.
    std::array<double, 3> velocity{}; ///< Components along x, y and z.
    double mass = 0;                  ///< The mass, in the units of the input.
    double softening = 0;             ///< Plummer's softening: the length below which attraction fades.
    double work = 1;                  ///< The measured cost of the particle's last force, to balance work.
    std::int64_t index = 0;           ///< Position in the input, from 0; results are written in this order.
    std::int64_t id = 0;              ///< The id in the input.
    std::int64_t kind = 1;            ///< Type 0 to 5 of GADGET: gas, halo, disk, bulge, stars, boundary.
};

/// The force on a particle, divided by its mass.
struct attraction {
    std::array<double, 3> acceleration{}; ///< Components along x, y and z.
    double potential = 0;                 ///< The potential of all other particles, for a unit of mass.
};

} // namespace weft
