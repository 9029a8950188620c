/// Tests that fail on purpose: self_test.py runs each and checks the reaction of the harness.
#include <harness/mpi_test.hpp>

#include <weft/extend/observe/activity.hpp>
#include <weft/mpi.hpp>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace {

using weft_test::rank;
using weft_test::world;

TEST(probe, passes) {
    EXPECT_EQ(rank(), world().rank());
}

TEST(probe, fails_on_rank_1) {
    EXPECT_NE(rank(), 1) << "the failure of rank 1";
}

TEST(probe, follows) {
    EXPECT_GE(rank(), 0);
}

TEST(probe, fails_before_a_message) {
    ASSERT_NE(rank(), 1) << "so the others wait for ever";
    weft::activity_scope const here(weft::activity_of(world()), "the barrier");
    MPI_Barrier(weft::native_handle(world()));
}

TEST(probe, throws_on_rank_1) {
    if (rank() == 1) throw std::runtime_error("thrown by rank 1");
}

TEST(probe, hangs) {
    weft::activity_scope const here(
        weft::activity_of(world()), rank() == 0 ? "a long wait" : "an endless loop");
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

TEST(probe, hangs_at_a_named_place) {
    weft_test::set_operation_source([] { return weft_test::place{"a place of its own", 0}; });
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

TEST(probe, exits_on_rank_1) {
    if (rank() == 1) std::exit(0);
    MPI_Barrier(weft::native_handle(world()));
}

TEST(probe, dies_on_rank_1) {
    if (rank() == 1) std::abort();
    MPI_Barrier(weft::native_handle(world()));
}

TEST(probe, random_is_equal_and_differs) {
    auto const common = weft_test::random()();
    std::uint64_t lowest = common;
    MPI_Bcast(&lowest, 1, MPI_UINT64_T, 0, weft::native_handle(world()));
    EXPECT_EQ(common, lowest);
    EXPECT_NE(weft_test::random(1)(), weft_test::random(2)());
}

TEST(probe, fails_with_a_seed) {
    FAIL() << weft_test::random()();
}

TEST(probe, leaks) {
    static int volatile* lost = new int[100];
    lost = nullptr;
    EXPECT_EQ(lost, nullptr);
}

} // namespace
