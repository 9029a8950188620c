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
    exchange, ///< The owner finds the masses that another domain needs, and sends them in a sparse exchange.
    mailbox   ///< A rank asks for the children of cells, cell by cell, until it needs no more.
};

/// Options of an `nbody_system`, equal on all ranks.
struct nbody_options {
    /// A cell whose side is at most theta times the distance of its centre acts as one body with a
    /// quadrupole. From 0 to 1; for 0, the forces of all pairs are added up.
    double theta = 0.5;
    double gravitational_constant = 1; ///< G in the units of the particles.
    /// Domains are cut anew when the work of the busiest rank, divided by the mean, minus 1, is above this.
    double skew = 0.05;
    tree_engine engine = tree_engine::exchange; ///< The way in which ranks receive masses.
};

/// Totals of all particles. Sums are taken in integers, so that they do not depend on the ranks.
struct nbody_totals {
    std::int64_t particles = 0;               ///< Particles of all ranks.
    double mass = 0;                          ///< The total mass, in the units of the particles.
    std::array<double, 3> center_of_mass{};   ///< Components along x, y and z.
    std::array<double, 3> momentum{};         ///< Components along x, y and z.
    std::array<double, 3> angular_momentum{}; ///< Components about the origin.
    double kinetic = 0;                       ///< The kinetic energy.
    double potential = 0;                     ///< The potential energy.
};

/// The cost of the computation so far; the same on all ranks.
struct nbody_record {
    std::int64_t evaluations = 0; ///< The number of times that the forces were computed.
    std::int64_t rebalances = 0;  ///< The number of times that domains were cut anew.
    std::int64_t migrations = 0;  ///< Particles that have changed ranks since the first distribution.
    /// The most ranks to which a rank sent particles before an evaluation, after the first distribution.
    std::int64_t max_destinations = 0;
    /// Particles that changed ranks before the last evaluation.
    std::int64_t last_migrations = 0;
    /// The number of pairs of ranks, a sender and a receiver, between which these particles moved.
    std::int64_t last_destinations = 0;
    /// The most ranks to which one rank sent particles before the last evaluation.
    std::int64_t last_max_destinations = 0;
    /// Pairs of a particle and a cell or another particle, in the last evaluation of forces.
    std::int64_t interactions = 0;
    std::int64_t max_neighbors = 0; ///< The most ranks to which a rank sent trees.
    /// Work of the busiest rank divided by the mean, minus 1, in the last evaluation of forces.
    double skew = 0;
    /// Seconds of the slowest rank.
    struct phases {
        double tree = 0;      ///< Building the tree.
        double walk = 0;      ///< Adding up forces.
        double exchange = 0;  ///< Sending and waiting.
        double integrate = 0; ///< Moving particles.
        double balance = 0;   ///< Distributing particles anew.
    } seconds;                ///< Seconds of the phases of a step.
};

/// The particles of all ranks. Each rank owns the particles in its domain; domains are made by orthogonal
/// recursive bisection, with equal measured work.
///
/// Forces are those of one octree over all particles, however the particles are distributed: only the cube of
/// a cell decides if the cell is opened, and a rank joins the parts of a cell whose particles are on several
/// ranks. At different numbers of ranks they differ by rounding (about 1e-13), since moments are
/// added up in another order. The mean acceleration, which is 0 in an isolated system, is subtracted, so that
/// the total momentum stays constant. Source: Barnes, Hut, Nature 324, 1986; Salmon 1991; Hoefler and others,
/// PPoPP 2010, section 5.2.
class nbody_system {
public:
    /// Takes the particles, in any distribution. Collective: yes, with equal options. Blocks: until all ranks
    /// have called. Cost: a small all-reduce. Throws: `usage_error` on all ranks for options that are out of
    /// range or differ between ranks, for places, velocities, masses, softenings and works that are not
    /// finite or beyond 1e150, and for masses, softenings and works below 0.
    nbody_system(communicator const& comm, std::vector<particle> mine, nbody_options const& options = {});
    ~nbody_system();
    nbody_system(nbody_system&&) noexcept;
    nbody_system& operator=(nbody_system&&) noexcept;

    /// Moves each particle to the rank of its domain, and computes the forces. Collective: yes. Blocks: until
    /// this rank has its forces. Cost: O(n / P log n), a sparse exchange of particles, two of trees, a few
    /// small reductions. Throws: `std::bad_alloc` on a rank without memory, and `remote_error` on the others;
    /// then there are no forces, and the call can be repeated. `mpi_error`.
    void find_forces();

    /// Makes one step of leapfrog integration: kick, drift, kick; finds forces first if needed. Collective,
    /// Blocks, Cost: as `find_forces`. Throws: `usage_error` on all ranks if coordinates become too large; as
    /// `find_forces`. After an error the particles have made a part of the step, or none of it. Source: Quinn
    /// and others, 1997.
    void advance(double time_step);

    /// Returns the particles of this rank in the order of the octree, valid until the next non-const call.
    [[nodiscard]] std::span<particle const> particles() const noexcept;
    /// Returns the forces on these particles; empty before `find_forces`, and after its failure.
    [[nodiscard]] std::span<attraction const> forces() const noexcept;

    /// Returns sums over all particles. Collective: yes. Blocks: until all ranks have called. Cost: O(n / P),
    /// some fifty small all-reduces. Throws: `usage_error` before the forces were computed; `std::bad_alloc`
    /// on a rank without memory, and `remote_error` on the others; `mpi_error`.
    [[nodiscard]] nbody_totals totals() const;
    /// Returns the record of the computation. Collective, Blocks, Cost: as `totals`. Throws: `mpi_error`.
    [[nodiscard]] nbody_record record() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace weft
