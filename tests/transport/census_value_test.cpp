#include <weft/extend/transport/census_value.hpp>

#include <gtest/gtest.h>

#include <random>
#include <type_traits>
#include <vector>

using weft::census_value;

namespace {

census_value any_value(std::mt19937_64& random) {
    census_value value;
    // Small enough that sums of a few cannot overflow.
    for (auto& each : value.sum) each = static_cast<std::int64_t>(random() >> 8);
    for (auto& each : value.max) each = static_cast<std::int64_t>(random());
    value.any = random();
    return value;
}

} // namespace

TEST(census_value, combines_sums_maxima_and_flags) {
    census_value a = census_value::identity();
    census_value b = census_value::identity();
    a.sum = {1, -2, 0, 4};
    b.sum = {10, 20, 0, -40};
    a.max = {5, -5, INT64_MIN, INT64_MAX, 0, 1};
    b.max = {6, -6, INT64_MIN, INT64_MIN, -1, 1};
    a.any = 0b0101;
    b.any = 0b0011;
    census_value const both = combine(a, b);
    EXPECT_EQ(both.sum, (std::array<std::int64_t, 4>{11, 18, 0, -36}));
    EXPECT_EQ(both.max, (std::array<std::int64_t, 6>{6, -5, INT64_MIN, INT64_MAX, 0, 1}));
    EXPECT_EQ(both.any, 0b0111u);
}

TEST(census_value, the_identity_changes_nothing) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 100; ++i) {
        census_value const value = any_value(random);
        EXPECT_EQ(combine(value, census_value::identity()), value);
        EXPECT_EQ(combine(census_value::identity(), value), value);
    }
    EXPECT_EQ(combine(census_value::identity(), census_value::identity()), census_value::identity());
}

TEST(census_value, combining_is_associative_and_commutative) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 100; ++i) {
        census_value const a = any_value(random);
        census_value const b = any_value(random);
        census_value const c = any_value(random);
        EXPECT_EQ(combine(a, b), combine(b, a));
        EXPECT_EQ(combine(combine(a, b), c), combine(a, combine(b, c)));
    }
}

TEST(census_value, maxima_and_flags_may_be_combined_twice) {
    std::mt19937_64 random(3);
    census_value a = any_value(random);
    a.sum = {};
    EXPECT_EQ(combine(a, a), a);
}

TEST(census_value, can_be_sent_as_bytes) {
    EXPECT_TRUE(std::is_trivially_copyable_v<census_value>);
    EXPECT_EQ(sizeof(census_value), 8u * (census_value::sums + census_value::maxima + 1));
}
