#include <weft/nbody/plummer.hpp>

#include <weft/core/error.hpp>
#include <weft/nbody/nbody_system.hpp>

#include <harness/mpi_test.hpp>

#include <cmath>

TEST(plummer, is_in_equilibrium) {
    auto stars = weft::generate_plummer(weft_test::world(), {.particles = 4000});
    for (std::size_t i = 1; i < stars.size(); ++i) EXPECT_EQ(stars[i].index, stars[i - 1].index + 1);
    weft::nbody_system system(weft_test::world(), std::move(stars));
    system.find_forces();
    weft::nbody_totals const totals = system.totals();
    EXPECT_EQ(totals.particles, 4000);
    EXPECT_NEAR(totals.mass, 1, 1e-12);
    EXPECT_NEAR(totals.kinetic, 0.25, 0.01);
    EXPECT_NEAR(totals.potential, -0.5, 0.02);
}

TEST(plummer, does_not_depend_on_the_ranks) {
    weft::communicator const alone = weft_test::world().split(weft_test::rank(), 0);
    auto const all = weft::generate_plummer(alone, {.particles = 101, .seed = 5});
    ASSERT_EQ(all.size(), 101u);
    for (auto const& mine : weft::generate_plummer(weft_test::world(), {.particles = 101, .seed = 5})) {
        auto const& same = all[static_cast<std::size_t>(mine.index)];
        EXPECT_EQ(mine.position, same.position);
        EXPECT_EQ(mine.velocity, same.velocity);
    }
    EXPECT_TRUE(weft::generate_plummer(alone, {.particles = 0}).empty());
    EXPECT_THROW((void)weft::generate_plummer(alone, {.particles = -1}), weft::usage_error);
}

TEST(plummer, keeps_its_energy_and_its_stars) {
    auto stars = weft::generate_plummer(weft_test::world(), {.particles = 600});
    for (weft::particle& each : stars) each.softening = 0.05;
    weft::nbody_system system(weft_test::world(), std::move(stars));
    system.find_forces();
    weft::nbody_totals const before = system.totals();
    for (int step = 0; step < 60; ++step) system.advance(0.02);
    weft::nbody_totals const after = system.totals();
    EXPECT_EQ(after.particles, before.particles);
    EXPECT_EQ(after.mass, before.mass);
    double const energy = before.kinetic + before.potential;
    EXPECT_NEAR((after.kinetic + after.potential) / energy, 1, 1e-3);
    weft::nbody_record const record = system.record();
    if (weft_test::size() > 1) { EXPECT_GT(record.migrations, 0); }
    EXPECT_EQ(record.max_destinations > 0, record.migrations > 0);
    EXPECT_LT(record.max_destinations, weft_test::size());
}
