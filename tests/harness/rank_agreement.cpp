#include <harness/rank_agreement.hpp>

#include <sched.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace weft_test {

namespace {

/// The time that a rank which failed waits for the others before it gives up.
constexpr auto patience = std::chrono::seconds(10);

/// The time between the last output and MPI_Abort: launchers drop output that they have not read by then.
constexpr auto time_to_be_read = std::chrono::milliseconds(500);

struct vote {
    std::uint64_t test;
    std::uint64_t failed;
};

} // namespace

rank_agreement::rank_agreement(weft::communicator const& world, watchdog& dog) : world_(world), dog_(dog) {
    weft::check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
}

rank_agreement::~rank_agreement() {
    MPI_Comm_free(&comm_);
}

std::vector<int> rank_agreement::failed_ranks(std::string const& test, bool failed_here) {
    dog_.set_phase("the harness, waiting for the other ranks to end this test");
    vote const mine{std::hash<std::string>{}(test), failed_here ? 1U : 0U};
    std::vector<vote> votes(static_cast<std::size_t>(world_.size()));
    MPI_Request request = MPI_REQUEST_NULL;
    weft::check_mpi(
        MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, votes.data(), sizeof mine, MPI_BYTE, comm_, &request),
        "MPI_Iallgather");

    auto const began = watchdog::clock::now();
    for (int complete = 0;;) {
        weft::check_mpi(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
        if (complete != 0) break;
        auto const waited = watchdog::clock::now() - began;
        if (failed_here && waited > patience)
            end_job("test %s failed here, and the other ranks have not ended it since", test.c_str());
        if (waited < std::chrono::milliseconds(5))
            sched_yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    dog_.set_phase(nullptr);

    std::vector<int> failed;
    for (int rank = 0; rank < world_.size(); ++rank) {
        vote const& one = votes[static_cast<std::size_t>(rank)];
        if (one.test != mine.test) end_job("test %s: rank %d ran another test", test.c_str(), rank);
        if (one.failed != 0) failed.push_back(rank);
    }
    return failed;
}

std::uint64_t rank_agreement::same_everywhere(std::uint64_t value) {
    weft::check_mpi(MPI_Bcast(&value, 1, MPI_UINT64_T, 0, comm_), "MPI_Bcast");
    return value;
}

void rank_agreement::end_job(char const* format, ...) {
    char text[400];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    std::fprintf(stderr, "rank %d of %d: %s: ending the job\n", world_.rank(), world_.size(), text);
    std::fflush(nullptr);
    std::this_thread::sleep_for(time_to_be_read);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    std::abort();
}

} // namespace weft_test
