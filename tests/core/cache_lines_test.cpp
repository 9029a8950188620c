#include <core/cache_lines.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

TEST(cache_lines, released_bytes_keep_their_values) {
    std::vector<int> values(10'000);
    std::iota(values.begin(), values.end(), 1);
    std::vector<int> const before = values;
    auto const bytes = std::as_bytes(std::span(values));
    weft::release_lines(bytes.data(), bytes.size());
    EXPECT_EQ(values, before);
    std::ranges::fill(values, 5);
    weft::release_lines(bytes.data() + 3, 1); // a part of a line
    weft::release_lines(bytes.data(), 0);
    EXPECT_EQ(std::ranges::count(values, 5), 10'000);
}
