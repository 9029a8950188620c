#include <weft/detail/collective/small_values.hpp>

#include <weft/collective/arrays.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using weft_test::rank;
using weft_test::size;
using weft_test::world;

namespace {

/// Neither commutes nor associates, so a result tells the brackets.
struct mixing {
    std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const noexcept {
        return (a * 0x9E3779B97F4A7C15U) ^ (b + (a >> 7));
    }
};

std::uint64_t value_of(int of_rank) {
    return 1000003U * static_cast<std::uint64_t>(of_rank + 1);
}

std::uint64_t in_pairs(int first, int width) {
    if (width == 1) return value_of(first);
    std::uint64_t const left = in_pairs(first, width / 2);
    return first + width / 2 >= size() ? left : mixing()(left, in_pairs(first + width / 2, width / 2));
}

} // namespace

TEST(small_values, are_those_that_cannot_fail_on_the_way) {
    auto const may_throw = [](int a, int b) { return a + b; };
    auto const never_throws = [](int a, int b) noexcept { return a + b; };
    EXPECT_TRUE((weft::detail::small_value<double, std::plus<>>));
    EXPECT_TRUE((weft::detail::small_value<int, decltype(never_throws)>));
    EXPECT_FALSE((weft::detail::small_value<int, decltype(may_throw)>));
    EXPECT_FALSE((weft::detail::small_value<std::string, std::plus<>>));
}

TEST(small_values, have_the_brackets_of_a_merge_on_every_rank) {
    int width = 1;
    while (width < size()) width *= 2;
    auto const may_throw = [](std::uint64_t a, std::uint64_t b) { return mixing()(a, b); };
    std::uint64_t const merged = weft::all_reduce(world(), value_of(rank()), may_throw);
    for (int round = 0; round < 200; ++round) { // many in a row do not mix with others
        ASSERT_EQ(weft::all_reduce(world(), value_of(rank()), mixing()), in_pairs(0, width));
        ASSERT_EQ(weft::scan(world(), std::int64_t{round}, std::plus<>()), round * (rank() + 1));
        std::vector<std::uint64_t> array(static_cast<std::size_t>(round % 7), value_of(rank()));
        weft::all_reduce(world(), std::span(array), mixing());
        for (std::uint64_t const each : array) ASSERT_EQ(each, merged);
        if (round % 50 == 0) { ASSERT_EQ(weft::all_reduce(world(), value_of(rank()), may_throw), merged); }
    }
    EXPECT_EQ(merged, in_pairs(0, width));
}

TEST(small_values, a_failure_of_one_rank_reaches_all) {
    for (int failing = 0; failing < size(); ++failing) {
        int mine = 1;
        std::plus<> plus;
        try {
            weft::detail::reduce_small_value(world(), mine, plus,
                {.failure = rank() == failing ? std::make_exception_ptr(weft::usage_error("no value here"))
                                              : nullptr});
            ADD_FAILURE() << "nothing was thrown";
        } catch (weft::usage_error const& thrown) {
            EXPECT_NE(std::string(thrown.what()).find("no value here"), std::string::npos);
        }
        EXPECT_EQ(weft::all_reduce(world(), 1, plus), size());
    }
}

TEST(small_values, arrays_of_any_length_below_the_swaps) {
    for (std::size_t const length : {3067u, 3068u, 3069u, 3071u, 3072u, 3073u, 6144u, 6147u, 16383u}) {
        std::vector<unsigned char> mine(length);
        for (std::size_t i = 0; i < length; ++i) mine[i] = static_cast<unsigned char>(i + 1);
        weft::all_reduce(world(), std::span(mine),
            [](unsigned char a, unsigned char b) noexcept { return static_cast<unsigned char>(a + b); });
        for (std::size_t i = 0; i < length; ++i)
            ASSERT_EQ(mine[i], static_cast<unsigned char>((i + 1) * static_cast<std::size_t>(size())));
    }
}

TEST(small_values, what_an_operator_of_arrays_throws_is_agreed) {
    if (size() == 1) GTEST_SKIP() << "one array is not combined";
    std::vector<int> mine{rank(), 1};
    auto const picky = [](int a, int b) {
        if (a + b == 1) throw weft::usage_error("too much"); // on ranks 0 and 1 alone
        return a + b;
    };
    EXPECT_THROW(weft::all_reduce(world(), std::span(mine).first(1), picky), weft::usage_error);
    mine = {2, 3};
    weft::all_reduce(world(), std::span(mine), std::plus<>());
    EXPECT_EQ(mine, (std::vector<int>{2 * size(), 3 * size()}));
}
