/// Pairs of values combined by threads.
#include <weft/detail/collective/combination_runner.hpp>

#include "collective/combining_threads.hpp"

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

using weft::combining_threads;
using weft::detail::combination;
using weft::detail::owned;

namespace {

/// Counts how often it is run, on any thread.
class counted final : public combination {
public:
    counted(std::atomic<int>& runs, bool fails) : runs_(runs), fails_(fails) {}
    void run() override {
        ++runs_;
        if (fails_) throw std::runtime_error("this pair");
    }

private:
    std::atomic<int>& runs_;
    bool fails_;
};

} // namespace

TEST(combination_runner, each_ends_once_with_what_it_threw) {
    for (int const threads : {1, 2, 4}) {
        constexpr std::size_t pairs = 100;
        std::vector<std::atomic<int>> runs(pairs);
        std::vector<int> ends(pairs);
        combining_threads runner(threads);
        for (std::size_t i = 0; i < pairs; ++i)
            runner.begin(i, owned<combination>(new counted(runs[i], i % 7 == 3)));
        for (std::size_t ended = 0; ended < pairs;) {
            auto const one = runner.next(true);
            if (!one) continue;
            ++ended;
            ++ends.at(one->number);
            EXPECT_EQ(one->thrown != nullptr, one->number % 7 == 3);
        }
        EXPECT_FALSE(runner.next(true));
        EXPECT_EQ(ends, std::vector<int>(pairs, 1));
        for (auto const& each : runs) EXPECT_EQ(each, 1);
    }
}

TEST(combination_runner, runs_nothing_in_a_call_that_is_not_idle) {
    std::atomic<int> runs = 0;
    combining_threads runner(1); // this one alone
    runner.begin(0, owned<combination>(new counted(runs, false)));
    EXPECT_FALSE(runner.next(false));
    EXPECT_EQ(runs, 0);
    EXPECT_TRUE(runner.next(true));
    EXPECT_EQ(runs, 1);
}

TEST(combination_runner, is_one_thread_less_than_asked_for) {
    EXPECT_EQ(weft::threads_for(1, "test"), nullptr);
    EXPECT_NE(weft::threads_for(2, "test"), nullptr);
    EXPECT_THROW((void)weft::threads_for(0, "test"), weft::usage_error);
}
