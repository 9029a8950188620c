#include <mailbox/line_release.hpp>

#include <harness/mpi_test.hpp>

#include <vector>

using weft::line_release;

namespace {

constexpr int slots = 4;
constexpr std::size_t full = 128 << 10; // bytes

/// Publishes slots in turn whose lines take `seconds` each to write, and returns the number of them that the
/// receiver should release.
int released(line_release& lines, int number, double seconds, std::size_t bytes = full) {
    int count = 0;
    for (int i = 0; i < number; ++i) {
        int const place = i % slots;
        if (lines.should_time(place)) lines.take(seconds * line_release::timed_lines);
        count += lines.publish(place, bytes) ? 1 : 0;
    }
    return count;
}

constexpr double near = 2e-9;
constexpr double far = 12e-9;

} // namespace

TEST(line_release, near_receivers_release_nothing) {
    line_release lines;
    EXPECT_EQ(released(lines, 1000, near), 0);
}

TEST(line_release, far_receivers_release_soon_and_all_but_a_few) {
    line_release lines;
    (void)released(lines, 40, far);
    int const of_many = released(lines, 1280, far);
    EXPECT_GE(of_many, 1260);
    EXPECT_LT(of_many, 1280) << "the sender could not tell when the receiver is near again";
}

TEST(line_release, one_slow_time_is_no_reason) {
    line_release lines;
    (void)released(lines, 40, near);
    EXPECT_EQ(released(lines, 8, 1.0), 0);
    EXPECT_EQ(released(lines, 1000, near), 0);
}

TEST(line_release, a_receiver_that_comes_near_stops) {
    line_release lines;
    (void)released(lines, 1000, far);
    (void)released(lines, 1000, near);
    EXPECT_EQ(released(lines, 1000, near), 0);
}

TEST(line_release, short_slots_are_not_timed) {
    line_release lines;
    EXPECT_EQ(released(lines, 1000, far, 1024), 0);
}

TEST(line_release, a_ring_carries_the_bit_beside_number_and_length) {
    weft::ring::words line{};
    std::vector<std::byte> memory(2 * full);
    weft::ring const shared{&line, memory.data(), 2, full};
    weft::out_ring out(shared);
    weft::in_ring in(shared, 0);
    for (bool const releases : {true, false, true}) {
        int const place = out.free_place();
        ASSERT_GE(place, 0);
        out.publish(place, full, releases);
        auto const found = in.look();
        EXPECT_EQ(found.place, place);
        EXPECT_EQ(found.bytes, full);
        EXPECT_EQ(found.releases, releases);
        in.take();
        in.give_back(place);
    }
}
