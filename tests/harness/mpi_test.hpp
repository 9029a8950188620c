/// What a test uses: `#include <harness/mpi_test.hpp>`, then GoogleTest as always.
///
/// Every rank runs the same tests in the same order. After each test the ranks agree: a failure anywhere is a
/// failure everywhere. A test that takes longer than WEFT_TEST_TIMEOUT seconds (120) ends the job; every rank
/// then says in which operation it is. WEFT_TEST_SEED sets the seed of `random`. WEFT_TEST_THREADS=multiple
/// asks MPI for MPI_THREAD_MULTIPLE; a test that needs it is skipped without.
#pragma once

#include <weft/core/communicator.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>

namespace weft_test {

/// All ranks. For MPI calls: `weft::native_handle(world())` of weft/mpi.hpp.
[[nodiscard]] weft::communicator const& world();
[[nodiscard]] inline int rank() {
    return world().rank();
}
[[nodiscard]] inline int size() {
    return world().size();
}

/// A generator seeded by WEFT_TEST_SEED, the name of the running test and `stream`: equal on all ranks for an
/// equal stream, so `random(rank() + 1)` differs by rank. If the test fails, the seed is printed with it.
[[nodiscard]] std::mt19937_64 random(std::uint64_t stream = 0);

/// WEFT_TEST_SEED, or what is used without.
[[nodiscard]] std::uint64_t seed();

/// Where a rank is: what the watchdog prints.
struct place {
    std::string operation;
    std::uint64_t advances = 0; ///< equal readings mean: nothing moves
};

/// Who tells the watchdog where this rank is, from now to the end of the test; called from the watchdog's
/// thread. Without it: the activity of `world()`.
void set_operation_source(std::function<place()> source);

/// As above: the activity of this communicator, for tests on one that does not stem from `world()`.
void watch(weft::communicator const& comm);

} // namespace weft_test
