/// The agreement of ranks after a test. Private to the harness.
#pragma once

#include <harness/watchdog.hpp>

#include <weft/mpi.hpp>

#include <vector>

namespace weft_test {

/// Uses a communicator of its own, so that no message left by a test can be taken for a vote.
class rank_agreement {
public:
    rank_agreement(weft::communicator const& world, watchdog& dog);
    ~rank_agreement();
    rank_agreement(rank_agreement const&) = delete;
    rank_agreement& operator=(rank_agreement const&) = delete;

    /// Returns the ranks that failed the test. Waits for all ranks, yielding the core. Ends the job if this
    /// rank failed and the others do not arrive (they wait in the test for a message that this rank did not
    /// send), or if the ranks are in different tests.
    [[nodiscard]] std::vector<int> failed_ranks(std::string const& test, bool failed_here);

    /// Returns the value of rank 0.
    [[nodiscard]] std::uint64_t same_everywhere(std::uint64_t value);

private:
    [[noreturn]] void end_job(char const* format, ...);

    weft::communicator const& world_;
    watchdog& dog_;
    MPI_Comm comm_ = MPI_COMM_NULL;
};

} // namespace weft_test
