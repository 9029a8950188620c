#include <weft/nbody/particle.hpp>

#include <weft/exchange/exchange.hpp>

#include <harness/mpi_test.hpp>

#include <vector>

TEST(particle, weighs_nothing_at_first) {
    weft::particle const made;
    EXPECT_EQ(made.mass, 0);
    EXPECT_EQ(made.softening, 0);
    EXPECT_GT(made.work, 0) << "domains could not be balanced by it";
}

TEST(particle, travels_as_it_is) {
    static_assert(weft::bare_type<weft::particle> && weft::bare_type<weft::attraction>);
    weft::outbox<weft::particle> out(weft_test::world());
    weft::particle sent;
    sent.position = {1, 2, 3};
    sent.velocity = {4, 5, 6};
    sent.mass = 7;
    sent.id = weft_test::rank();
    out[(weft_test::rank() + 1) % weft_test::size()].push_back(sent);
    std::vector<weft::particle> const got = weft::exchange(std::move(out)).concatenate();
    ASSERT_EQ(got.size(), 1u);
    EXPECT_EQ(got[0].position, sent.position);
    EXPECT_EQ(got[0].velocity, sent.velocity);
    EXPECT_EQ(got[0].mass, 7);
    EXPECT_EQ(got[0].id, (weft_test::rank() + weft_test::size() - 1) % weft_test::size());
}
