#include <weft/protocol/termination_kind.hpp>

#include <harness/mpi_test.hpp>

TEST(termination_kind, has_names) {
    EXPECT_EQ(weft::name_of(weft::termination_kind::counted_waves), "counted_waves");
    EXPECT_EQ(weft::name_of(weft::termination_kind::four_counters), "four_counters");
    EXPECT_EQ(weft::name_of(weft::termination_kind::barrier_consensus), "barrier_consensus");
}
