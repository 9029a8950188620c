#include "protocol/census/packed_census.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>

using weft::census_value;
namespace packed_census = weft::packed_census;

namespace {

/// Packs two values one behind the other and reads them again.
void expect_the_same(census_value const& first, census_value const& second) {
    std::array<std::byte, 2 * packed_census::most_bytes> bytes{};
    std::byte* const middle = packed_census::pack(first, bytes.data());
    std::byte* const end = packed_census::pack(second, middle);
    ASSERT_LE(middle - bytes.data(), static_cast<std::ptrdiff_t>(packed_census::most_bytes));
    ASSERT_LE(end - middle, static_cast<std::ptrdiff_t>(packed_census::most_bytes));
    census_value read;
    ASSERT_EQ(packed_census::unpack(bytes.data(), read), middle);
    EXPECT_EQ(read, first);
    ASSERT_EQ(packed_census::unpack(middle, read), end);
    EXPECT_EQ(read, second);
}

} // namespace

TEST(packed_census, gives_back_every_value) {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::mt19937_64 random(3);
    auto const word = [&]() -> std::int64_t {
        std::int64_t const edges[] = {0, 1, -1, INT16_MAX, INT16_MAX + 1, INT16_MIN, INT16_MIN + 1,
            INT16_MIN - 1, INT32_MAX, std::int64_t{INT32_MAX} + 1, INT32_MIN, std::int64_t{INT32_MIN} - 1,
            UINT32_MAX, std::int64_t{UINT32_MAX} + 1, least, least + 1, most, most - 1};
        if (random() % 2 == 0) return edges[random() % std::size(edges)];
        return static_cast<std::int64_t>(random()) >> random() % 64;
    };
    auto const value = [&] {
        census_value made = census_value::identity();
        for (auto& each : made.sum) each = word();
        for (auto& each : made.max) each = word();
        made.any = static_cast<std::uint64_t>(word());
        return made;
    };
    for (int i = 0; i < 2000; ++i) expect_the_same(value(), value());
    census_value full;
    full.sum.fill(least);
    full.max.fill(most);
    full.any = ~std::uint64_t{0};
    expect_the_same(full, full);
}

TEST(packed_census, small_numbers_are_narrow) {
    census_value value = census_value::identity();
    value.sum = {INT32_MAX, INT32_MIN, 0, 1};
    value.max = {
        INT16_MAX, INT32_MAX, ~INT32_MAX + 1, INT16_MIN + 1, std::numeric_limits<std::int64_t>::min(), 7};
    value.any = UINT32_MAX;
    std::array<std::byte, packed_census::most_bytes> bytes{};
    for (census_value const& each : {value, census_value::identity()}) {
        EXPECT_EQ(packed_census::pack(each, bytes.data()), bytes.data() + packed_census::narrow_bytes);
        expect_the_same(each, each);
    }
}

TEST(packed_census, one_number_that_is_not_small_makes_it_wide) {
    auto const bytes_with = [](auto change) {
        census_value value = census_value::identity();
        change(value);
        expect_the_same(value, value);
        std::array<std::byte, packed_census::most_bytes> bytes{};
        return static_cast<std::size_t>(packed_census::pack(value, bytes.data()) - bytes.data());
    };
    EXPECT_EQ(bytes_with([](census_value& v) { v.sum[3] = std::int64_t{INT32_MAX} + 1; }),
        packed_census::most_bytes);
    EXPECT_EQ(bytes_with([](census_value& v) { v.max[5] = INT16_MAX + 1; }), packed_census::most_bytes);
    EXPECT_EQ(bytes_with([](census_value& v) { v.max[0] = INT16_MIN; }), packed_census::most_bytes);
    EXPECT_EQ(bytes_with([](census_value& v) { v.max[1] = INT32_MIN; }), packed_census::most_bytes);
    EXPECT_EQ(bytes_with([](census_value& v) { v.max[2] = std::int64_t{INT32_MAX} + 1; }),
        packed_census::most_bytes);
    EXPECT_EQ(bytes_with([](census_value& v) { v.any = std::uint64_t{1} << 32; }), packed_census::most_bytes);
}
