#include <weft/extend/transport/drive.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

using weft::backoff;
using weft::drive;
using weft::progress;

namespace {

using seconds = std::chrono::duration<double>;

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_seconds() {
    return seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

TEST(drive, steps_until_done_and_not_once_more) {
    std::vector<progress> const script{progress::none, progress::some, progress::none, progress::done};
    std::size_t steps = 0;
    drive(backoff(64), [&] { return script[steps++]; });
    EXPECT_EQ(steps, script.size());
}

TEST(drive, what_is_done_at_once_is_stepped_once) {
    int steps = 0;
    drive(backoff(0), [&] {
        ++steps;
        return progress::done;
    });
    EXPECT_EQ(steps, 1);
}

TEST(drive, lets_what_a_step_throws_through) {
    EXPECT_THROW(drive(backoff(0), []() -> progress { throw 42; }), int);
}

TEST(backoff, a_long_wait_leaves_most_of_the_core_to_others) {
    double const cpu_before = cpu_seconds();
    double const wall_before = wall_seconds();
    drive(backoff(64), [&] { return wall_seconds() - wall_before < 0.5 ? progress::none : progress::done; });
    double const wall = wall_seconds() - wall_before;
    double const cpu = cpu_seconds() - cpu_before;
    EXPECT_LT(cpu, 0.6 * wall) << cpu << " s of " << wall << " s";
}

TEST(backoff, the_first_polls_cost_nothing_but_a_count) {
    // Sleeping once would take 50 us each; as would yielding to busy neighbours.
    backoff wait(1'000'000);
    double const before = cpu_seconds();
    for (int i = 0; i < 1'000'000; ++i) wait.pause();
    EXPECT_LT(cpu_seconds() - before, 0.5);
}

TEST(backoff, progress_makes_it_eager_again) {
    // With a reset after every pause it stays within its spins however often it is asked.
    backoff wait(1);
    double const before = cpu_seconds();
    double const wall_before = wall_seconds();
    for (int i = 0; i < 100'000; ++i) {
        wait.pause();
        wait.reset();
    }
    EXPECT_LT(cpu_seconds() - before, 0.5);
    EXPECT_LT(wall_seconds() - wall_before, 5.0) << "100,000 sleeps would take longer";
}

TEST(backoff, sleeps_are_short_so_that_a_late_event_is_seen_soon) {
    backoff wait(0);
    double const warm_up = wall_seconds();
    while (wall_seconds() - warm_up < 0.3) wait.pause();
    double longest = 0;
    double total = 0;
    for (int i = 0; i < 20; ++i) {
        double const before = wall_seconds();
        wait.pause();
        longest = std::max(longest, wall_seconds() - before);
        total += wall_seconds() - before;
    }
    // 100 us each, and what an oversubscribed machine adds.
    EXPECT_LT(total, 1.0) << "longest " << longest << " s";
}
