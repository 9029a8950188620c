/// Ends the job when a test takes too long, and prints the place of every rank. Private to the harness.
#pragma once

#include <harness/mpi_test.hpp>

#include <chrono>
#include <mutex>
#include <thread>

namespace weft_test {

/// One thread on each rank. It calls no MPI, so it works in any state of the rank. When the time of a test is
/// over, every rank's watchdog prints its line, waits until the others have printed theirs, and ends its
/// process, so that mpirun ends the job. A SIGTERM (from mpirun, after another rank has crashed or given up)
/// prints the line, too.
class watchdog {
public:
    using clock = std::chrono::steady_clock;

    /// To be constructed before MPI starts its own threads, since it blocks SIGTERM for them. A limit of 0
    /// disables it: no thread is started.
    explicit watchdog(std::chrono::duration<double> limit);
    ~watchdog();
    watchdog(watchdog const&) = delete;
    watchdog& operator=(watchdog const&) = delete;

    void set_rank(int rank, int size);
    /// Sets the source that `end_test` and `begin_test` restore.
    void set_default_source(std::function<place()> source);
    void set_source(std::function<place()> source);

    void begin_test(std::string name);
    void end_test();
    /// Names the current action of the harness, instead of the source; null restores the source.
    void set_phase(char const* phase);

private:
    void run(std::stop_token const& stop);
    void look_around();
    void report(char const* why);
    [[nodiscard]] bool overdue() const;

    mutable std::mutex mutex_;
    std::chrono::duration<double> limit_;
    int rank_ = 0;
    int size_ = 1;
    std::string test_;
    char const* phase_ = nullptr;
    std::function<place()> default_source_;
    std::function<place()> source_;
    clock::time_point test_began_ = clock::now();
    place last_;
    clock::time_point operation_began_ = clock::now();
    clock::time_point advanced_ = clock::now();
    std::jthread thread_; // last: it uses the members above
};

} // namespace weft_test
