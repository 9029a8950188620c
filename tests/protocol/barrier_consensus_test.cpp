/// Work that is met after the barrier was entered cancels; see also termination_detector_test.cpp.
#include <protocol/termination/barrier_consensus.hpp>

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>

using weft::barrier_consensus;
using weft::progress;
using weft_test::chooser;
using weft_test::memory_network;

namespace {

/// One rank alone, whose collectives end when the test says so.
struct lonely_consensus {
    lonely_consensus() : choices(1), network(1, choices, {.denial = 0}), end(network.at(0)) {}

    progress step(bool idle = true) {
        network.act();
        return end.step(idle);
    }
    progress step_until_wave(std::int64_t waves) {
        progress now = progress::none;
        while (end.waves() < waves) now = step();
        return now;
    }

    chooser choices;
    memory_network network;
    barrier_consensus end;
};

} // namespace

TEST(barrier_consensus, needs_two_collectives_when_nothing_happens) {
    lonely_consensus alone;
    EXPECT_EQ(alone.step_until_wave(1), progress::done);
    EXPECT_EQ(alone.step_until_wave(2), progress::done);
    EXPECT_EQ(alone.end.collectives(), 4);
}

TEST(barrier_consensus, does_not_enter_with_work) {
    lonely_consensus alone;
    EXPECT_EQ(alone.step(false), progress::none);
    alone.end.sent(1);
    EXPECT_EQ(alone.step(), progress::none);
    alone.end.received(1);
    alone.end.delivered(1);
    EXPECT_EQ(alone.end.work(), 1);
    EXPECT_EQ(alone.step(), progress::none);
    EXPECT_EQ(alone.end.collectives(), 0);
    alone.end.handled(1);
    EXPECT_EQ(alone.step_until_wave(1), progress::done);
}

TEST(barrier_consensus, work_inside_the_barrier_cancels) {
    for (bool const own : {false, true}) {
        lonely_consensus alone;
        EXPECT_EQ(alone.step(), progress::some);
        if (own) {
            EXPECT_EQ(alone.end.step(false), progress::none);
        } else {
            alone.end.received(1);
            alone.end.handled(1);
        }
        EXPECT_EQ(alone.step_until_wave(1), progress::some) << "that it is gone by now does not matter";
        EXPECT_EQ(alone.step_until_wave(2), progress::done);
    }
}

TEST(barrier_consensus, work_after_the_reduction_was_entered_is_of_the_next_phase) {
    lonely_consensus alone;
    while (alone.end.collectives() < 2) (void)alone.step();
    alone.end.received(1);
    EXPECT_EQ(alone.step_until_wave(1), progress::done);
    EXPECT_EQ(alone.step(), progress::none);
    alone.end.handled(1);
    EXPECT_EQ(alone.step_until_wave(2), progress::done);
}
