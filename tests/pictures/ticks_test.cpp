#include <pictures/ticks.hpp>

#include <harness/mpi_test.hpp>

#include <cmath>
#include <limits>

namespace {

std::vector<std::string> labels(std::vector<weft::tick> const& ticks) {
    std::vector<std::string> result;
    for (weft::tick const& each : ticks)
        if (!each.label.empty()) result.push_back(each.label);
    return result;
}
using words = std::vector<std::string>;

} // namespace

TEST(linear_ticks, stand_at_round_numbers) {
    EXPECT_EQ(labels(weft::linear_ticks(0, 1, 5)), (words{"0", "0.5", "1.0"}));
    EXPECT_EQ(labels(weft::linear_ticks(0, 1, 6)), (words{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(labels(weft::linear_ticks(-180, 180, 5)), (words{"-100", "0", "100"}));
    EXPECT_EQ(labels(weft::linear_ticks(0.13, 0.29, 4)), (words{"0.15", "0.20", "0.25"}));
    EXPECT_EQ(labels(weft::linear_ticks(0, 4e6, 3)), (words{"0", "2e+06", "4e+06"}));
}

TEST(linear_ticks, lie_within_any_range_and_are_no_more_than_asked_for) {
    auto random = weft_test::random();
    for (int i = 0; i < 2000; ++i) {
        double const lo =
            (static_cast<double>(random() % 2001) - 1000) * std::pow(10, static_cast<int>(random() % 9) - 4);
        double const width =
            (1 + static_cast<double>(random() % 1000)) * std::pow(10, static_cast<int>(random() % 9) - 4);
        int const most = 2 + static_cast<int>(random() % 8);
        auto const ticks = weft::linear_ticks(lo, lo + width, most);
        ASSERT_FALSE(ticks.empty()) << lo << " " << width << " " << most;
        ASSERT_LE(ticks.size(), static_cast<std::size_t>(most));
        for (weft::tick const& each : ticks) {
            ASSERT_GE(each.value, lo - 1e-6 * width);
            ASSERT_LE(each.value, lo + width * (1 + 1e-6));
        }
    }
}

TEST(linear_ticks, of_no_range_are_none) {
    EXPECT_TRUE(weft::linear_ticks(3, 3, 5).empty());
    EXPECT_TRUE(weft::linear_ticks(0, std::numeric_limits<double>::infinity(), 5).empty());
    EXPECT_TRUE(weft::linear_ticks(std::nan(""), 1, 5).empty());
}

TEST(log_ticks, are_powers_or_finer) {
    EXPECT_EQ(
        labels(weft::log_ticks(1, 1e6, 6)), (words{"1", "10", "100", "1000", "10000", "100000", "1e+06"}));
    EXPECT_EQ(labels(weft::log_ticks(3, 60, 6)), (words{"5", "10", "20", "50"}));
    EXPECT_TRUE(weft::log_ticks(0, 10, 5).empty());
    // Between two such numbers there is at most one: those of a linear axis take their place.
    EXPECT_EQ(labels(weft::log_ticks(3, 4.9, 5)), (words{"3.0", "3.5", "4.0", "4.5"}));
    EXPECT_EQ(labels(weft::log_ticks(1.6, 3.4, 4)), (words{"2.0", "2.5", "3.0"}));
}
