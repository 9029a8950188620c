/// The order of simulated events.
#include <transport/event_queue.hpp>

#include <harness/mpi_test.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>

using weft::event_queue;

namespace {

/// Pushes and pops at random; times are drawn from a few, so that many are equal.
void expect_order(std::uint64_t seed, int times, int most_waiting) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    event_queue queue;
    std::map<std::pair<double, std::uint32_t>, event_queue::kind> expected; // the subject counts the events
    double now = 0;
    for (std::uint32_t number = 0; number < 20'000 || !expected.empty();) {
        bool const pushes =
            number < 20'000 && random() % static_cast<unsigned>(most_waiting) >= expected.size();
        if (pushes) {
            double const time = now + static_cast<double>(random() % static_cast<unsigned>(times));
            auto const what = random() % 2 == 0 ? event_queue::kind::reaches : event_queue::kind::wakes;
            queue.push(time, what, number);
            expected.emplace(std::pair(time, number), what);
            ++number;
            continue;
        }
        ASSERT_EQ(queue.empty(), expected.empty());
        if (expected.empty()) continue;
        auto next = expected.begin();
        ASSERT_GE(queue.known(), 1u);
        for (std::size_t i = 0; i < queue.known(); ++i, ++next) {
            ASSERT_NE(next, expected.end());
            ASSERT_EQ(queue.next(i).subject, next->first.second) << "the " << i << "-th of the known ones";
        }
        event_queue::event const first = queue.pop();
        EXPECT_EQ(first.time, expected.begin()->first.first);
        EXPECT_EQ(first.what, expected.begin()->second);
        now = first.time;
        expected.erase(expected.begin());
    }
}

} // namespace

TEST(event_queue, pops_by_time_and_then_in_the_order_of_pushes) {
    if (weft_test::rank() != 0) return;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        expect_order(seed, 4, 20);   // fewer than are known
        expect_order(seed, 50, 100); // some more
        expect_order(seed, 1000, 2000);
    }
}
