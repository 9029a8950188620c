#include <weft/extend/collective/participants.hpp>

#include <harness/mpi_test.hpp>

TEST(participants, of_ranks_are_the_ranks) {
    auto const who = weft::participants::ranks(3);
    EXPECT_EQ(who.mine, std::vector<std::int64_t>{3});
    EXPECT_EQ(who.rank_of(5), 5);
}
