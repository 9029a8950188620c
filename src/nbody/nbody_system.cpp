#include <weft/nbody/nbody_system.hpp>

#include "essential_tree.hpp"
#include "middle.hpp"
#include "tree_walk.hpp"

#include <collective/vector_sums.hpp>
#include <core/number_text.hpp>
#include <exchange/gated_exchange.hpp>
#include <frames/equal_values.hpp>
#include <protocol/gated_sums.hpp>
#include <weft/collective/arrays.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/frames/recursive_bisection.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <new>
#include <utility>

namespace weft {

using namespace nbody;

namespace {

void check_options(nbody_options const& options) {
    if (!(options.theta >= 0 && options.theta <= 1))
        throw usage_error("nbody: theta is " + number_text(options.theta) + "; expected 0 to 1");
    if (!(options.skew >= 0)) throw usage_error("nbody: the skew is negative; expected 0 or more");
    if (!std::isfinite(options.gravitational_constant))
        throw usage_error("nbody: the gravitational constant is not finite");
}

/// Larger distances could overflow in products.
constexpr double farthest_place = 1e150;

void check_particle(particle const& each) {
    auto const say = [&](char const* what) {
        throw usage_error("nbody: particle " + std::to_string(each.index) + " (from 0) has " + what);
    };
    for (std::size_t d = 0; d < 3; ++d) {
        if (!(std::abs(each.position[d]) <= farthest_place))
            say("a place that is not finite, or beyond 1e150");
        if (!(std::abs(each.velocity[d]) <= farthest_place))
            say("a velocity that is not finite, or beyond 1e150");
    }
    if (!(each.mass >= 0 && each.mass <= farthest_place)) say("a mass that is no number from 0 to 1e150");
    if (!(each.softening >= 0 && each.softening <= farthest_place))
        say("a softening that is no number from 0 to 1e150");
    if (!(each.work >= 0 && each.work <= farthest_place)) say("a work that is no number from 0 to 1e150");
}

/// Adds the time between successive calls to phases.
class phase_clock {
public:
    void lap(double& phase) {
        auto const now = std::chrono::steady_clock::now();
        phase += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

} // namespace

struct nbody_system::state {
    state(communicator comm_, std::vector<particle> mine, nbody_options const& options_)
        : comm(std::move(comm_)), options(options_), rule(options_.theta), particles(std::move(mine)) {}

    void balance(gate& call);
    void migrate(gate& call);
    void build_cube(gate& call);
    void sort_by_key();
    [[nodiscard]] std::vector<source> own_sources() const;
    void settle(gate& call); // after the walk: totals over all ranks

    communicator comm;
    nbody_options options;
    opening_rule rule;
    std::vector<particle> particles;
    std::vector<attraction> forces;
    std::vector<cell_key> keys;
    std::array<double, 3> origin{};
    unit_cube cube;
    recursive_bisection<3> domains;
    nbody_record here;       // of this rank
    bool has_forces = false; // the forces are those of all particles in their current state
    bool has_domains = false;
    bool is_skewed = false;
};

nbody_system::nbody_system(
    communicator const& comm, std::vector<particle> mine, nbody_options const& options) try
    : state_(std::make_unique<state>(comm, std::move(mine), options)) {
    std::exception_ptr const failure = detail::failure_in([&] {
        check_options(options);
        for (particle const& each : state_->particles) check_particle(each);
    });
    value_print equal;
    equal.add(options.theta).add(options.gravitational_constant).add(options.skew);
    equal.add(static_cast<std::int64_t>(options.engine));
    (void)agree_on("nbody", comm, failure, equal, "have different options");
} catch (std::bad_alloc const&) {
    alone_unless_agreed("nbody_system");
    throw;
}

nbody_system::~nbody_system() = default;
nbody_system::nbody_system(nbody_system&&) noexcept = default;
nbody_system& nbody_system::operator=(nbody_system&&) noexcept = default;

std::span<particle const> nbody_system::particles() const noexcept {
    return state_->particles;
}
std::span<attraction const> nbody_system::forces() const noexcept {
    if (!state_->has_forces) return {}; // a failed evaluation may leave some
    return state_->forces;
}

void nbody_system::state::balance(gate& call) {
    if (has_domains && !is_skewed) return;
    std::vector<std::array<double, 3>> positions;
    std::vector<double> work;
    agreed(call, [&] {
        positions.reserve(particles.size());
        work.reserve(particles.size());
        for (particle const& each : particles) {
            positions.push_back(each.position);
            work.push_back(each.work);
        }
    });
    domains = recursive_bisection<3>(comm, positions, work);
    if (has_domains) ++here.rebalances;
}

/// If a rank fails, all particles stay in place.
void nbody_system::state::migrate(gate& call) {
    outbox<particle> leaving(comm);
    std::vector<char> leaves;
    std::size_t kept = 0;
    std::int64_t destinations = 0;
    call.guard([&] {
        std::vector<bool> is_destination(static_cast<std::size_t>(comm.size()));
        leaves.resize(particles.size());
        for (std::size_t i = 0; i < particles.size(); ++i) {
            int const owner = domains.owner_of(particles[i].position);
            leaves[i] = owner != comm.rank();
            if (owner == comm.rank()) {
                ++kept;
                continue;
            }
            leaving[owner].push_back(particles[i]);
            is_destination[static_cast<std::size_t>(owner)] = true;
        }
        destinations = std::ranges::count(is_destination, true);
    });
    auto const arrived = exchange(call, std::move(leaving));
    agreed(call, [&] { particles.reserve(kept + arrived.item_count()); });
    if (has_domains) {
        here.last_migrations = static_cast<std::int64_t>(particles.size() - kept);
        here.last_destinations = here.last_max_destinations = destinations;
        here.migrations += here.last_migrations;
        here.max_destinations = std::max(here.max_destinations, destinations);
    }
    has_domains = true;
    std::size_t next = 0;
    for (std::size_t i = 0; i < particles.size(); ++i)
        if (leaves[i] == 0) particles[next++] = particles[i];
    particles.resize(kept);
    for (auto const& [from, some] : arrived) particles.insert(particles.end(), some.begin(), some.end());
}

void nbody_system::state::build_cube(gate& call) {
    bounds const mine = nbody::bounds_of(particles);
    // The minimum is computed as the maximum of negated values.
    std::array<double, 6> ends{};
    for (std::size_t d = 0; d < 3; ++d) {
        ends[d] = -mine.lo[d];
        ends[3 + d] = mine.hi[d];
    }
    all_reduce(comm, std::span<double>(ends), [](double a, double b) noexcept { return std::max(a, b); });
    bounds all;
    for (std::size_t d = 0; d < 3; ++d) {
        all.lo[d] = -ends[d];
        all.hi[d] = ends[3 + d];
    }
    // The same evaluations at any number of ranks, since forces must not depend on that number.
    if (here.evaluations % 16 == 0) origin = middle_of(call, particles);
    cube = unit_cube(all, origin);
}

void nbody_system::state::sort_by_key() {
    std::vector<std::pair<cell_key, std::size_t>> order(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i)
        order[i] = {cube.key_of(cube.place_of(particles[i].position)), i};
    std::ranges::sort(order);
    std::vector<particle> sorted(particles.size());
    keys.resize(particles.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        keys[i] = order[i].first;
        sorted[i] = particles[order[i].second];
    }
    particles = std::move(sorted);
}

std::vector<source> nbody_system::state::own_sources() const {
    std::vector<source> sources(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
        particle const& from = particles[i];
        double const softening = cube.scaled(from.softening);
        auto const [x, y, z] = cube.place_of(from.position);
        sources[i] = {{x, y, z}, from.mass, 0.5 * softening * softening, keys[i]};
    }
    return sources;
}

void nbody_system::state::settle(gate& call) {
    std::array<double, 5> sums{};                     // the mass, mass times acceleration, the work
    for (std::size_t i = 0; i < forces.size(); ++i) { // empty after a failure
        sums[0] += particles[i].mass;
        for (std::size_t d = 0; d < 3; ++d) sums[1 + d] += particles[i].mass * forces[i].acceleration[d];
        sums[4] += particles[i].work;
    }
    // Nonnegative doubles have the order of their bits.
    auto const busiest = std::bit_cast<double>(max(call, std::bit_cast<std::int64_t>(sums[4])));
    all_reduce(comm, std::span<double>(sums), [](double a, double b) noexcept { return a + b; });
    here.skew = sums[4] > 0 ? busiest * comm.size() / sums[4] - 1 : 0;
    is_skewed = here.skew > options.skew;
    double const g = options.gravitational_constant;
    for (attraction& each : forces) {
        for (std::size_t d = 0; d < 3; ++d)
            each.acceleration[d] = g * (each.acceleration[d] - (sums[0] > 0 ? sums[1 + d] / sums[0] : 0));
        each.potential *= g;
    }
}

void nbody_system::find_forces() {
    state& self = *state_;
    auto& seconds = self.here.seconds;
    phase_clock clock;
    gate call(self.comm, "nbody");
    self.forces.clear();
    self.has_forces = false;
    self.balance(call);
    clock.lap(seconds.balance);
    self.migrate(call);
    self.build_cube(call);
    clock.lap(seconds.exchange);
    source_tree tree;
    call.guard([&] {
        self.sort_by_key();
        tree = source_tree(self.cube, self.own_sources());
    });
    bounds scaled;
    for (source const& each : tree.sorted()) scaled.add({each.place[0], each.place[1], each.place[2]});
    clock.lap(seconds.tree);
    if (self.comm.size() > 1) {
        essential_parts parts = self.options.engine == tree_engine::mailbox
                                    ? request_trees(call, tree, self.rule, scaled)
                                    : exchange_trees(call, tree, self.rule, scaled);
        self.here.max_neighbors = std::max(self.here.max_neighbors, parts.neighbors);
        clock.lap(seconds.exchange);
        call.guard([&] { tree.add(std::move(parts.sources), std::move(parts.cells)); });
        clock.lap(seconds.tree);
    }
    call.guard([&] {
        self.forces.assign(self.particles.size(), {});
        self.here.interactions = walk_tree(tree, self.rule, self.cube, self.particles, self.forces);
    });
    clock.lap(seconds.walk);
    self.settle(call);
    clock.lap(seconds.balance);
    ++self.here.evaluations;
    self.has_forces = true;
}

void nbody_system::advance(double time_step) {
    state& self = *state_;
    gate call(self.comm, "advance");
    call.same("time_step", time_step);
    agreed(call, [&] {
        if (!std::isfinite(time_step))
            throw usage_error("nbody: the time step is " + std::to_string(time_step));
    });
    if (!self.has_forces) find_forces();
    auto const kick = [&] {
        for (std::size_t i = 0; i < self.particles.size(); ++i)
            for (std::size_t d = 0; d < 3; ++d)
                self.particles[i].velocity[d] += 0.5 * time_step * self.forces[i].acceleration[d];
    };
    phase_clock clock;
    kick();
    for (particle& each : self.particles)
        for (std::size_t d = 0; d < 3; ++d) each.position[d] += time_step * each.velocity[d];
    agreed(self.comm, [&] {
        for (particle const& each : self.particles) check_particle(each);
    });
    clock.lap(self.here.seconds.integrate);
    find_forces();
    phase_clock second;
    kick();
    second.lap(self.here.seconds.integrate);
}

nbody_totals nbody_system::totals() const {
    state const& self = *state_;
    if (!self.has_forces) throw usage_error("nbody: totals are known after find_forces");
    gate call(self.comm, "nbody");
    std::vector<double> values;
    call.guard([&] { values.resize(self.particles.size()); });
    auto const sum_of = [&](auto&& value) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(self.particles[i], self.forces[i]);
        return find_sums(self.comm, values).sum;
    };
    nbody_totals all;
    all.particles = sum(call, static_cast<std::int64_t>(self.particles.size()));
    all.mass = sum_of([](particle const& p, attraction const&) { return p.mass; });
    for (std::size_t d = 0; d < 3; ++d) {
        std::size_t const e = (d + 1) % 3;
        std::size_t const f = (d + 2) % 3;
        double const moment =
            sum_of([=](particle const& p, attraction const&) { return p.mass * p.position[d]; });
        all.center_of_mass[d] = all.mass > 0 ? moment / all.mass : 0;
        all.momentum[d] =
            sum_of([=](particle const& p, attraction const&) { return p.mass * p.velocity[d]; });
        all.angular_momentum[d] = sum_of([=](particle const& p, attraction const&) {
            return p.mass * (p.position[e] * p.velocity[f] - p.position[f] * p.velocity[e]);
        });
    }
    all.kinetic = 0.5 * sum_of([](particle const& p, attraction const&) {
        auto const& v = p.velocity;
        return p.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    });
    all.potential =
        0.5 * sum_of([](particle const& p, attraction const& force) { return p.mass * force.potential; });
    return all;
}

nbody_record nbody_system::record() const {
    communicator const& comm = state_->comm;
    nbody_record all = state_->here;
    all.migrations = sum(comm, all.migrations);
    all.interactions = sum(comm, all.interactions);
    all.max_neighbors = max(comm, all.max_neighbors);
    all.max_destinations = max(comm, all.max_destinations);
    all.last_migrations = sum(comm, all.last_migrations);
    all.last_destinations = sum(comm, all.last_destinations);
    all.last_max_destinations = max(comm, all.last_max_destinations);
    auto& seconds = all.seconds;
    std::array<double, 5> slowest{
        seconds.tree, seconds.walk, seconds.exchange, seconds.integrate, seconds.balance};
    all_reduce(comm, std::span<double>(slowest), [](double a, double b) noexcept { return std::max(a, b); });
    seconds = {slowest[0], slowest[1], slowest[2], slowest[3], slowest[4]};
    return all;
}

} // namespace weft
