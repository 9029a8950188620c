/// The header for tests: `#include <harness/mpi_test.hpp>`, then use GoogleTest as usual.
///
/// Every rank runs the same tests in the same order. After each test the ranks agree: a failure on one rank
/// is a failure on all. A test that takes longer than WEFT_TEST_TIMEOUT seconds (120) ends the job, and every
/// rank prints its current operation. WEFT_TEST_SEED sets the seed of `random`. WEFT_TEST_THREADS=multiple
/// requests MPI_THREAD_MULTIPLE; tests that need it are skipped otherwise.
#pragma once

#include <weft/core/communicator.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>

namespace weft_test {

/// Returns all ranks. For MPI calls: `weft::native_handle(world())` of weft/mpi.hpp.
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

/// Returns WEFT_TEST_SEED, or the default.
[[nodiscard]] std::uint64_t seed();

/// The place of a rank, as printed by the watchdog.
struct place {
    std::string operation;
    std::uint64_t advances = 0; ///< equal readings mean that there is no progress
};

/// Sets the function that tells the watchdog the place of this rank, until the end of the test; it is called
/// from the watchdog's thread. The default is the activity of `world()`.
void set_operation_source(std::function<place()> source);

/// Uses the activity of this communicator, for tests on one that is not derived from `world()`.
void watch(weft::communicator const& comm);

} // namespace weft_test
