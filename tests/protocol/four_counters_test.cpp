/// Two waves must agree; see also termination_detector_test.cpp.
#include <protocol/termination/four_counters.hpp>

#include <adversary/runs.hpp>
#include <adversary/schedule.hpp>

using weft::progress;
using weft_test::chooser;
using weft_test::memory_network;

TEST(four_counters, a_message_between_two_waves_cancels) {
    chooser choices(1);
    memory_network network(1, choices, {.denial = 0});
    weft::four_counters end(network.at(0));
    auto const quiet = [&] {
        progress now = progress::none;
        for (std::int64_t const before = end.waves(); end.waves() == before; network.act())
            now = end.step(true);
        return now == progress::done;
    };
    EXPECT_EQ(end.step(false), progress::none);
    EXPECT_TRUE(quiet()) << "nothing was sent";
    end.sent(2);
    end.handled(1);
    EXPECT_FALSE(quiet());
    EXPECT_FALSE(quiet()) << "one is in flight";
    end.handled(1);
    EXPECT_FALSE(quiet()) << "it was handled after the wave before";
    EXPECT_TRUE(quiet());
    EXPECT_EQ(end.waves(), 5);
    EXPECT_EQ(end.collectives(), 5);
}
