/// Particles that attract each other by gravity, by the method of Barnes and Hut.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/nbody/particle.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// The way in which a rank receives the masses of other ranks' particles.
enum class tree_engine : std::uint8_t {
    exchange, ///< Each rank finds the masses that other ranks need, and sends them in a sparse exchange.
    mailbox   ///< Each rank asks other ranks for the children of octree cells, cell by cell.
};

/// Options of an `nbody_system`, equal on all ranks.
struct nbody_options {
    /// A cell of the octree acts as one body with a quadrupole if its side is at most theta times the
    /// distance between its centre and the particle. Values are 0 to 1; for 0, the forces of all pairs are
    /// added up.
    double theta = 0.5;
    double gravitational_constant = 1; ///< G in the units of the particles.
    /// The imbalance above which domains are cut anew: the work of the busiest rank divided by the mean,
    /// minus 1.
    double skew = 0.05;
    tree_engine engine = tree_engine::exchange; ///< The way in which ranks receive other ranks' masses.
};

/// Totals of all particles. Totals are added up in integers, so that they do not depend on the number of
/// ranks.
struct nbody_totals {
    std::int64_t particles = 0;               ///< Particles of all ranks.
    double mass = 0;                          ///< The total mass, in the units of the particles.
    std::array<double, 3> center_of_mass{};   ///< Components along x, y and z.
    std::array<double, 3> momentum{};         ///< Components along x, y and z.
    std::array<double, 3> angular_momentum{}; ///< Components along x, y and z, about the origin.
    double kinetic = 0;                       ///< The kinetic energy.
    double potential = 0;                     ///< The potential energy.
};

/// The cost of the computation so far; the same on all ranks.
struct nbody_record {
    std::int64_t evaluations = 0; ///< The number of times that the forces were computed.
    std::int64_t rebalances = 0;  ///< The number of times that domains were cut anew.
    std::int64_t migrations = 0;  ///< Moves of particles to other ranks since the first distribution.
    /// The largest number of ranks to which one rank sent particles before an evaluation of forces, without
    /// the first distribution.
    std::int64_t max_destinations = 0;
    /// The number of particles that changed ranks before the last evaluation of forces.
    std::int64_t last_migrations = 0;
    /// The number of pairs of sender and receiver between which particles moved before the last evaluation of
    /// forces.
    std::int64_t last_destinations = 0;
    /// The largest number of ranks to which one rank sent particles before the last evaluation of forces.
    std::int64_t last_max_destinations = 0;
    /// The number of forces between a particle and a cell or another particle in the last evaluation.
    std::int64_t interactions = 0;
    std::int64_t max_neighbors = 0; ///< The largest number of ranks to which one rank sent parts of its tree.
    /// Work of the busiest rank divided by the mean, minus 1, in the last evaluation of forces.
    double skew = 0;
    /// The time of each phase on the slowest rank, in seconds.
    struct phases {
        double tree = 0;      ///< Building the tree.
        double walk = 0;      ///< Adding up forces.
        double exchange = 0;  ///< Sending and waiting.
        double integrate = 0; ///< Moving particles.
        double balance = 0;   ///< Distributing particles anew.
    } seconds;                ///< The time of each phase in all steps so far.
};

/// A system of particles on all ranks that attract each other. Each rank owns the particles in its domain;
/// domains are made by orthogonal recursive bisection, with equal measured work.
///
/// Forces are those of one octree over all particles, however the particles are distributed. Only the cube of
/// a cell decides if the cell is opened. If the particles of a cell are on several ranks, their moments are
/// added up. At different numbers of ranks, forces differ by rounding (about 1e-13), since moments are added
/// up in another order. The mean acceleration, which is 0 in an isolated system, is subtracted, so that the
/// total momentum stays constant. Source: Barnes, Hut, Nature 324, 1986; Salmon 1991; Hoefler and others,
/// PPoPP 2010, section 5.2.
class nbody_system {
public:
    /// Takes the particles of each rank, in any distribution. Collective: yes, with equal options. Blocks:
    /// until all ranks have called. Cost: a small all-reduce. Throws: `usage_error` on all ranks for options
    /// that are out of range or differ between ranks, for positions, velocities, masses, softenings and works
    /// that are not finite or beyond 1e150, and for masses, softenings and works below 0.
    nbody_system(communicator const& comm, std::vector<particle> mine, nbody_options const& options = {});
    ~nbody_system();
    nbody_system(nbody_system&&) noexcept;
    nbody_system& operator=(nbody_system&&) noexcept;

    /// Moves each particle to the rank of its domain, and computes the forces. Collective: yes. Blocks: until
    /// this rank has its forces. Cost: O(n / P log n), a sparse exchange of particles, two sparse exchanges
    /// of parts of trees, a few small reductions. Throws: `std::bad_alloc` on a rank without memory, and
    /// `remote_error` on the others (`forces()` is then empty, and the call can be repeated); `mpi_error`.
    void find_forces();

    /// Makes one step of leapfrog integration: kick, drift, kick; finds forces first if needed. Collective,
    /// Blocks, Cost: as `find_forces`. Throws: `usage_error` on all ranks if coordinates become too large; as
    /// `find_forces`. After an error the particles may have made a part of the step. Source: Quinn and
    /// others, 1997.
    void advance(double time_step);

    /// Returns the particles of this rank in the order of the octree, valid until the next non-const call.
    [[nodiscard]] std::span<particle const> particles() const noexcept;
    /// Returns the forces on the particles of `particles()`, in the same order; empty before `find_forces`,
    /// and after an error in it.
    [[nodiscard]] std::span<attraction const> forces() const noexcept;

    /// Returns sums over all particles. Collective: yes. Blocks: until all ranks have called. Cost: O(n / P),
    /// some fifty small all-reduces. Throws: `usage_error` before the forces were computed; `std::bad_alloc`
    /// on a rank without memory, and `remote_error` on the others; `mpi_error`.
    [[nodiscard]] nbody_totals totals() const;
    /// Returns the cost of the computation on all ranks so far. Collective, Blocks, Cost: as `totals`.
    /// Throws: `mpi_error`.
    [[nodiscard]] nbody_record record() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace weft
