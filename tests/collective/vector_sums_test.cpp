#include <collective/vector_sums.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace weft_test;

namespace {

/// Deals a vector to the ranks, in an order and with shares that depend on `seed`.
std::vector<double> share_of(std::vector<double> all, std::uint64_t seed) {
    std::mt19937_64 dealer(seed);
    std::ranges::shuffle(all, dealer);
    std::vector<double> mine;
    for (double const each : all)
        if (static_cast<int>(dealer() % static_cast<std::uint64_t>(size())) == rank()) mine.push_back(each);
    return mine;
}

/// Sums of the same numbers on every rank alone.
weft::vector_sums serial_sums(std::vector<double> const& all) {
    return weft::find_sums(world().split(rank()), all);
}

void expect_same(weft::vector_sums const& a, weft::vector_sums const& b) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.sum), std::bit_cast<std::uint64_t>(b.sum));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.abs_sum), std::bit_cast<std::uint64_t>(b.abs_sum));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.norm2), std::bit_cast<std::uint64_t>(b.norm2));
}

} // namespace

TEST(vector_sums, of_small_vectors) {
    auto const sums =
        weft::find_sums(world(), rank() == size() - 1 ? std::vector<double>{3, -4} : std::vector<double>{});
    EXPECT_EQ(sums.sum, -1);
    EXPECT_EQ(sums.abs_sum, 7);
    EXPECT_EQ(sums.norm2, 5);
    for (double const alone : {0.0, 5e-324, -1e300, 1.7e308}) {
        auto const of_one =
            weft::find_sums(world(), rank() == 0 ? std::vector<double>{alone} : std::vector<double>{});
        EXPECT_EQ(of_one.sum, alone);
        EXPECT_EQ(of_one.abs_sum, std::abs(alone));
        EXPECT_DOUBLE_EQ(of_one.norm2, std::abs(alone));
    }
    expect_same(weft::find_sums(world(), {}), {});
}

TEST(vector_sums, do_not_depend_on_the_order_or_the_ranks) {
    auto next = weft_test::random();
    std::uniform_real_distribution<double> exponent(-40, 40);
    std::vector<double> all(3000);
    for (double& each : all) each = std::ldexp(exponent(next), static_cast<int>(exponent(next)));
    auto const expected = serial_sums(all);
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        expect_same(weft::find_sums(world(), share_of(all, seed)), expected);

    long double const plain = std::accumulate(all.begin(), all.end(), 0.0L);
    EXPECT_NEAR(expected.sum, static_cast<double>(plain), 1e-15 * expected.abs_sum);
}

TEST(vector_sums, of_integers_are_exact_where_doubles_lose) {
    std::vector<double> all{9007199254740991.0, 1, 1, -9007199254740991.0};
    EXPECT_EQ(weft::find_sums(world(), share_of(all, 4)).sum, 2);
}

TEST(vector_sums, of_what_is_not_finite_are_nan) {
    for (double const bad :
        {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        auto const sums =
            weft::find_sums(world(), rank() == 0 ? std::vector<double>{1, bad} : std::vector<double>{2});
        EXPECT_TRUE(std::isnan(sums.sum) && std::isnan(sums.abs_sum) && std::isnan(sums.norm2));
    }
}
