/// Prints the course of tests, and turns a failure into one on all ranks. Private to the harness.
#pragma once

#include <harness/rank_agreement.hpp>

#include <atomic>
#include <cstdint>
#include <string>

namespace weft_test {

/// Prints each failure immediately, with its rank; on rank 0 also a line for each test.
class printer : public testing::EmptyTestEventListener {
public:
    void OnTestStart(testing::TestInfo const& test) override;
    void OnTestPartResult(testing::TestPartResult const& result) override;
    void OnTestEnd(testing::TestInfo const& test) override;
    void OnTestProgramEnd(testing::UnitTest const& all) override;

    /// The next failure prints the seed. Thread-safe, since blocks draw their numbers on threads.
    void seed_was_used(std::uint64_t seed) {
        seed_ = seed;
        seed_used_ = true;
    }
    /// Mutes failures that only repeat those printed by another rank.
    void mute(bool on) { muted_ = on; }

private:
    std::string test_ =
        "outside a test"; // GoogleTest holds its lock while it tells a failure: not to be asked then
    std::atomic<std::uint64_t> seed_ = 0;
    std::atomic<bool> seed_used_ = false;
    bool muted_ = false;
};

/// Tells the watchdog which test runs, and ends each test by agreement.
class agreement_listener : public testing::EmptyTestEventListener {
public:
    agreement_listener(rank_agreement& ranks, watchdog& dog, printer& out)
        : ranks_(ranks), dog_(dog), printer_(out) {}

    void OnTestStart(testing::TestInfo const& test) override;
    void OnTestEnd(testing::TestInfo const& test) override;

private:
    rank_agreement& ranks_;
    watchdog& dog_;
    printer& printer_;
};

} // namespace weft_test
