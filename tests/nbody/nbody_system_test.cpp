/// Forces of the tree on many ranks, against the sum over all pairs.
#include <weft/nbody/nbody_system.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using weft::attraction;
using weft::nbody_options;
using weft::nbody_system;
using weft::particle;

using cloud = std::vector<particle>;

/// What a rank is given: every P-th particle.
cloud share_of(cloud const& all) {
    cloud mine;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (static_cast<int>(i) % weft_test::size() == weft_test::rank()) mine.push_back(all[i]);
    return mine;
}

cloud numbered(cloud all) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i].index = static_cast<std::int64_t>(i);
    return all;
}

/// Two clumps of different masses and softenings, and a few strays.
cloud random_cloud(std::size_t count) {
    auto random = weft_test::random();
    std::normal_distribution<double> normal;
    cloud all(count);
    for (std::size_t i = 0; i < count; ++i) {
        double const wide = i % 50 == 0 ? 5.0 : 0.3;
        for (std::size_t d = 0; d < 3; ++d) {
            all[i].position[d] = wide * normal(random) + (i % 3 == 0 && d == 0 ? 2 : 0);
            all[i].velocity[d] = 0.1 * normal(random);
        }
        all[i].mass = 1.0 / static_cast<double>(1 + i % 4);
        all[i].softening = i % 5 == 0 ? 0.05 : 0.02;
    }
    return numbered(std::move(all));
}

std::vector<attraction> forces_by_pairs(cloud const& all) {
    std::vector<attraction> forces(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < all.size(); ++j) {
            if (i == j) continue;
            double to[3];
            double r2 = 0.5 * (all[i].softening * all[i].softening + all[j].softening * all[j].softening);
            for (std::size_t d = 0; d < 3; ++d) {
                to[d] = all[j].position[d] - all[i].position[d];
                r2 += to[d] * to[d];
            }
            if (r2 == 0) continue;
            double const r = std::sqrt(r2);
            for (std::size_t d = 0; d < 3; ++d) forces[i].acceleration[d] += all[j].mass / r / r2 * to[d];
            forces[i].potential -= all[j].mass / r;
        }
    return forces;
}

struct result {
    std::int64_t index;
    attraction force;
};

/// All forces, in the order of the input, on all ranks.
std::vector<attraction> forces_of(nbody_system const& system) {
    std::vector<result> mine;
    for (std::size_t i = 0; i < system.particles().size(); ++i)
        mine.push_back({system.particles()[i].index, system.forces()[i]});
    std::vector<result> all = weft::all_gatherv(weft_test::world(), std::move(mine));
    std::ranges::sort(all, {}, &result::index);
    std::vector<attraction> forces;
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].index, static_cast<std::int64_t>(i)) << "a particle was lost or doubled";
        forces.push_back(all[i].force);
    }
    return forces;
}

std::vector<attraction> forces_by_tree(cloud const& all, nbody_options const& options) {
    nbody_system system(weft_test::world(), share_of(all), options);
    system.find_forces();
    return forces_of(system);
}

/// Root mean square of the differences of accelerations, over that of the accelerations.
double relative_error(std::vector<attraction> const& found, std::vector<attraction> const& expected) {
    EXPECT_EQ(found.size(), expected.size());
    double off = 0;
    double size = 0;
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
        for (std::size_t d = 0; d < 3; ++d) {
            off += std::pow(found[i].acceleration[d] - expected[i].acceleration[d], 2);
            size += std::pow(expected[i].acceleration[d], 2);
        }
    return size > 0 ? std::sqrt(off / size) : std::sqrt(off);
}

double largest_potential_error(
    std::vector<attraction> const& found, std::vector<attraction> const& expected) {
    double most = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        most = std::max(most, std::abs(found[i].potential - expected[i].potential) /
                                  std::max(1e-300, std::abs(expected[i].potential)));
    return most;
}

} // namespace

TEST(nbody_system, with_theta_0_all_pairs_are_added_up) {
    cloud const all = random_cloud(500);
    auto const expected = forces_by_pairs(all);
    for (auto const engine : {weft::tree_engine::exchange, weft::tree_engine::mailbox}) {
        auto const found = forces_by_tree(all, {.theta = 0, .engine = engine});
        EXPECT_LT(relative_error(found, expected), 1e-12);
        EXPECT_LT(largest_potential_error(found, expected), 1e-12);
    }
}

TEST(nbody_system, a_tree_is_close_to_all_pairs) {
    cloud const all = random_cloud(3000);
    auto const expected = forces_by_pairs(all);
    double last = 1;
    for (double const theta : {0.8, 0.5, 0.2}) {
        double const error = relative_error(forces_by_tree(all, {.theta = theta}), expected);
        EXPECT_LT(error, theta * theta * theta * 0.02) << "theta " << theta;
        EXPECT_LT(error, last) << "theta " << theta;
        last = error;
    }
}

TEST(nbody_system, forces_do_not_depend_on_ranks_nor_engines) {
    cloud const all = random_cloud(3000);
    auto const alone = [&] { // on each rank by itself
        weft::communicator const one = weft_test::world().split(weft_test::rank(), 0);
        nbody_system system(one, all, {});
        system.find_forces();
        std::vector<attraction> forces(all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            forces[static_cast<std::size_t>(system.particles()[i].index)] = system.forces()[i];
        return std::pair(forces, system.record().interactions);
    }();
    for (auto const engine : {weft::tree_engine::exchange, weft::tree_engine::mailbox}) {
        nbody_system system(weft_test::world(), share_of(all), {.engine = engine});
        system.find_forces();
        EXPECT_EQ(system.record().interactions, alone.second);
        auto const found = forces_of(system);
        EXPECT_LT(relative_error(found, alone.first), 1e-13);
        EXPECT_LT(largest_potential_error(found, alone.first), 1e-13);
        system.find_forces(); // by other domains
        EXPECT_EQ(system.record().interactions, alone.second);
        EXPECT_LT(relative_error(forces_of(system), alone.first), 1e-13);
    }
}

namespace {

/// The forces that a rank finds by itself, in the order of the input, and the interactions.
std::pair<std::vector<attraction>, std::int64_t> forces_alone(cloud const& all) {
    weft::communicator const one = weft_test::world().split(weft_test::rank(), 0);
    nbody_system system(one, all, {});
    system.find_forces();
    std::vector<attraction> forces(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        forces[static_cast<std::size_t>(system.particles()[i].index)] = system.forces()[i];
    return {forces, system.record().interactions};
}

} // namespace

TEST(nbody_system, far_from_the_origin_forces_do_not_depend_on_ranks) {
    for (double const away : {1e3, 1e6, 1e9}) {
        cloud all = random_cloud(1500);
        for (particle& each : all) {
            each.position[0] += away;
            each.position[1] -= 0.3 * away;
        }
        all.back().position[2] = -20 * away; // the middle of all places is elsewhere
        auto const [alone, interactions] = forces_alone(all);
        EXPECT_LT(relative_error(forces_by_tree(all, {}), alone), 1e-13) << away;
        EXPECT_LT(relative_error(alone, forces_by_pairs(all)), 3e-3) << away;
    }
}

TEST(nbody_system, an_escaper_costs_the_others_nothing) {
    cloud all = random_cloud(4000);
    auto const before = forces_alone(all).second;
    for (double const away : {1e6, -1e9}) {
        all.back().position = {away, 0.5 * away, 3};
        EXPECT_LT(forces_alone(all).second, 2 * before) << away;
        auto const found = forces_by_tree(all, {});
        EXPECT_LT(relative_error(found, forces_by_pairs(all)), 3e-3) << away;
    }
}

TEST(nbody_system, odd_clouds) {
    auto const at = [](double x, double y, double z) {
        particle made;
        made.position = {x, y, z};
        made.mass = 1;
        return made;
    };
    cloud line;
    cloud lattice;
    cloud one_place(300, at(3, 4, 5));
    cloud pairs_of_places;
    for (int i = 0; i < 200; ++i) line.push_back(at(0.25 * i, 0, 0));
    for (int i = 0; i < 343; ++i) lattice.push_back(at(i % 7, i / 7 % 7, i / 49));
    for (int i = 0; i < 100; ++i) {
        pairs_of_places.push_back(at(i % 2, 0, 0));
        pairs_of_places.back().softening = i % 3 == 0 ? 0.1 : 0;
    }
    cloud huge = lattice;
    for (particle& each : huge)
        for (double& x : each.position) x = (x - 3) * 1e120;
    cloud tiny = lattice;
    for (particle& each : tiny)
        for (double& x : each.position) x *= 1e-120;
    cloud far_away = lattice;
    for (particle& each : far_away) each.position[0] += 1e9;
    cloud with_stray = lattice;
    with_stray.push_back(at(1e30, 0, 0));
    cloud const none;
    cloud const one{at(1, 2, 3)};
    cloud const two{at(1, 2, 3), at(1, 2, 3)};
    cloud massless = lattice;
    for (particle& each : massless) each.mass = 0;
    for (cloud const& odd : {line, lattice, one_place, pairs_of_places, huge, tiny, far_away, with_stray,
             none, one, two, massless}) {
        cloud const all = numbered(odd);
        auto const expected = forces_by_pairs(all);
        // forces_by_pairs loses the squares of tiny and huge distances: those are scaled forces of the
        // lattice.
        auto const found = forces_by_tree(all, {.theta = 0.3});
        ASSERT_EQ(found.size(), all.size());
        bool const in_range = std::ranges::all_of(
            expected, [](attraction const& force) { return std::isfinite(force.acceleration[0]); });
        if (in_range) { EXPECT_LT(relative_error(found, expected), 1e-3) << "a cloud of " << all.size(); }
        for (attraction const& each : found) {
            EXPECT_TRUE(std::isfinite(each.potential));
            for (double const a : each.acceleration) EXPECT_TRUE(std::isfinite(a));
        }
    }
    auto const lattice_forces = forces_by_tree(numbered(lattice), {});
    auto const huge_forces = forces_by_tree(numbered(huge), {});
    EXPECT_NEAR(huge_forces[0].acceleration[0] * 1e240 / lattice_forces[0].acceleration[0], 1, 1e-3);
}

TEST(nbody_system, momentum_stays_and_nobody_is_lost) {
    cloud const all = random_cloud(400);
    nbody_system system(weft_test::world(), share_of(all), {.theta = 0.8});
    system.find_forces();
    auto const before = system.totals();
    for (int step = 0; step < 30; ++step) system.advance(0.02);
    auto const after = system.totals();
    EXPECT_EQ(after.particles, 400);
    EXPECT_EQ(after.mass, before.mass);
    double const scale = std::sqrt(2 * before.kinetic * before.mass);
    for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(after.momentum[d], before.momentum[d], 1e-12 * scale);
    forces_of(system); // every index once
}

TEST(nbody_system, two_bodies_run_in_a_circle) {
    particle sun;
    sun.mass = 1;
    particle earth;
    earth.position = {1, 0, 0};
    earth.velocity = {0, 2, 0};
    earth.index = 1;
    cloud const both{sun, earth};
    nbody_system system(weft_test::world(), share_of(both), {.gravitational_constant = 4});
    constexpr int steps = 1000;
    double const time_step = std::acos(-1.0) / steps; // a year takes pi
    for (int step = 0; step < steps; ++step) system.advance(time_step);
    for (particle const& each : system.particles()) {
        EXPECT_NEAR(each.position[0], each.index == 1 ? 1 : 0, 1e-4);
        EXPECT_NEAR(each.position[1], 0, 1e-4);
    }
}

TEST(nbody_system, work_is_balanced) {
    cloud const all = random_cloud(6000);
    nbody_system system(weft_test::world(), share_of(all), {.skew = 0.05});
    for (int i = 0; i < 4; ++i) system.find_forces();
    EXPECT_LT(system.record().skew, 0.06);
}

TEST(nbody_system, wrong_options_and_particles_are_an_error_on_all_ranks) {
    auto const make = [](nbody_options const& options, cloud const& all) {
        nbody_system const system(weft_test::world(), share_of(all), options);
    };
    EXPECT_THROW(make({.theta = -1}, {}), weft::usage_error);
    EXPECT_THROW(make({.skew = -1}, {}), weft::usage_error);
    double const nan = std::numeric_limits<double>::quiet_NaN();
    particle odd;
    odd.position[1] = nan;
    EXPECT_THROW(make({}, {odd}), weft::usage_error);
    odd.position[1] = 0;
    odd.mass = -1;
    EXPECT_THROW(make({}, {odd}), weft::usage_error);
    odd.mass = 1;
    odd.softening = nan;
    EXPECT_THROW(make({}, {odd}), weft::usage_error);
    odd.softening = 0;
    for (double const work : {nan, -1.0, 1e308, std::numeric_limits<double>::infinity()}) {
        odd.work = work;
        EXPECT_THROW(make({}, {odd}), weft::usage_error) << work;
    }
    odd.work = 0;
    EXPECT_NO_THROW(make({}, {odd}));
    if (weft_test::size() == 1) return;
    bool const last = weft_test::rank() == weft_test::size() - 1;
    EXPECT_THROW(make({.theta = last ? 0.5 : 0.6}, {odd}), weft::usage_error);
    EXPECT_THROW(make({.engine = last ? weft::tree_engine::mailbox : weft::tree_engine::exchange}, {odd}),
        weft::usage_error);
}
