/// Bounds against numbers that can be told apart by hand.
#include <weft/core/value_bound.hpp>

#include <harness/mpi_test.hpp>

#include <cstdint>
#include <limits>
#include <optional>

namespace {

using weft::value_bound;

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(value_bound, takes_the_type_of_real_values) {
    EXPECT_EQ(value_bound(0.7).least<float>(), 0.7F);
    EXPECT_EQ(value_bound(0.7).greatest<float>(), 0.7F);
    EXPECT_LT(static_cast<double>(0.7F), 0.7);
    EXPECT_EQ(value_bound(0.7).least<double>(), 0.7);
    EXPECT_EQ(value_bound(0.7).greatest_below<double>(), std::nextafter(0.7, 0));
    EXPECT_EQ(value_bound(1e300).least<float>(), std::numeric_limits<float>::infinity());
    EXPECT_EQ(value_bound(-1e300).least<float>(), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(value_bound(3.4028235e38).least<float>(), std::numeric_limits<float>::max());
    EXPECT_EQ(value_bound(std::nan("")).least<float>(), std::nullopt);
    EXPECT_EQ(value_bound(-infinite).greatest_below<double>(), std::nullopt);
}

TEST(value_bound, is_a_real_number_for_whole_values) {
    EXPECT_EQ(value_bound(0.7).least<int>(), 1);
    EXPECT_EQ(value_bound(0.7).greatest<int>(), 0);
    EXPECT_EQ(value_bound(-0.7).least<int>(), 0);
    EXPECT_EQ(value_bound(-0.7).greatest<int>(), -1);
    EXPECT_EQ(value_bound(255).least<std::uint8_t>(), 255);
    EXPECT_EQ(value_bound(255.5).least<std::uint8_t>(), std::nullopt);
    EXPECT_EQ(value_bound(255.5).greatest<std::uint8_t>(), 255);
    EXPECT_EQ(value_bound(-1).least<std::uint8_t>(), 0);
    EXPECT_EQ(value_bound(-1).greatest<std::uint8_t>(), std::nullopt);
    EXPECT_EQ(value_bound(0).greatest_below<std::uint8_t>(), std::nullopt);
    EXPECT_EQ(value_bound(infinite).greatest_below<std::uint8_t>(), 255);
}

TEST(value_bound, keeps_whole_numbers_of_64_bits) {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    for (std::int64_t const each : {least, least + 1, -(std::int64_t{1} << 53) - 1, std::int64_t{-1},
             std::int64_t{0}, (std::int64_t{1} << 53) + 1, most - 1, most}) {
        EXPECT_EQ(value_bound(each).least<std::int64_t>(), each);
        EXPECT_EQ(value_bound(each).greatest<std::int64_t>(), each);
    }
    for (std::uint64_t const each :
        {(std::uint64_t{1} << 53) + 1, (std::uint64_t{1} << 63) + 1, all - 1, all}) {
        EXPECT_EQ(value_bound(each).least<std::uint64_t>(), each);
        EXPECT_EQ(value_bound(each).greatest_below<std::uint64_t>(), each - 1);
    }
    EXPECT_EQ(value_bound(all).least<std::int64_t>(), std::nullopt);
    EXPECT_EQ(value_bound(all).greatest<std::int64_t>(), most);
    EXPECT_EQ(value_bound(least).least<std::uint64_t>(), 0U);
    EXPECT_TRUE(value_bound(most - 1) < value_bound(most) && value_bound(most) < value_bound(0x1p63));
    EXPECT_FALSE(value_bound(most) == value_bound(0x1p63));
}

TEST(value_bound, is_read_from_text) {
    EXPECT_EQ(value_bound::parse("9007199254740993"), value_bound((std::int64_t{1} << 53) + 1));
    EXPECT_EQ(value_bound::parse("-9007199254740993"), value_bound(-(std::int64_t{1} << 53) - 1));
    EXPECT_EQ(
        value_bound::parse("18446744073709551615"), value_bound(std::numeric_limits<std::uint64_t>::max()));
    EXPECT_EQ(value_bound::parse("18446744073709551616"), value_bound(0x1p64));
    EXPECT_EQ(value_bound::parse("+0.5"), value_bound(0.5));
    EXPECT_EQ(value_bound::parse("1e3"), value_bound(1000));
    for (char const* const none : {"", "+", "++1", "x", "1x", "nan", "inf", "1e999"})
        EXPECT_EQ(value_bound::parse(none), std::nullopt) << none;
}

} // namespace
