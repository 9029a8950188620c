#include <weft/detail/core/prefetch.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

// The loads are advice: memory stays as it is, and nothing is loaded for no bytes.
TEST(prefetch, changes_nothing) {
    std::array<std::uint64_t, 100> values{};
    values.fill(7);
    weft::detail::prefetch(values.data(), sizeof values);
    for (std::uint64_t const each : values) EXPECT_EQ(each, 7u);
    weft::detail::prefetch(nullptr, 0);
}
