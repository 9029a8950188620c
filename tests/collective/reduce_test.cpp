#include <weft/collective/reduce.hpp>

#include <weft/core/error.hpp>

#include <harness/mpi_test.hpp>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

using weft_test::rank;
using weft_test::size;
using weft_test::world;

TEST(reduce, combines_any_type_by_any_operator_in_the_order_of_ranks) {
    std::string letters;
    for (int each = 0; each < size(); ++each) letters += static_cast<char>('a' + each);
    std::string const mine(1, static_cast<char>('a' + rank()));
    EXPECT_EQ(weft::all_reduce(world(), mine, std::plus<>()), letters);
    EXPECT_EQ(weft::scan(world(), mine, std::plus<>()), letters.substr(0, letters.find(mine) + 1));
    for (int root = 0; root < size(); ++root) {
        auto const at_root = weft::reduce(world(), mine, std::plus<>(), root);
        EXPECT_EQ(at_root.has_value(), rank() == root);
        if (at_root) { EXPECT_EQ(*at_root, letters); }
    }
    EXPECT_EQ(weft::all_reduce(world(), 1.5, std::plus<>()), 1.5 * size());
    EXPECT_TRUE(weft::all_reduce(world(), rank() == 0, std::logical_or<>()));
    using histogram = std::map<int, int>;
    auto const counted =
        weft::all_reduce(world(), histogram{{rank() % 2, 1}}, [](histogram a, histogram const& b) {
            for (auto const& [bin, count] : b) a[bin] += count;
            return a;
        });
    EXPECT_EQ(counted.at(0), (size() + 1) / 2);
}

TEST(reduce, what_an_operator_throws_is_agreed_and_the_next_one_works) {
    if (size() == 1) GTEST_SKIP() << "one value is not combined";
    auto const picky = [](int a, int b) {
        if (a + b > 1) throw weft::usage_error("too much");
        return a + b;
    };
    for (int round = 0; round < 3; ++round) {
        EXPECT_THROW((void)weft::all_reduce(world(), 1, picky), weft::usage_error);
        EXPECT_THROW((void)weft::reduce(world(), 1, picky, size() - 1), weft::usage_error);
        EXPECT_THROW((void)weft::scan(world(), 1, picky), weft::usage_error);
        EXPECT_EQ(weft::all_reduce(world(), rank() == 1 ? 1 : 0, picky), 1);
    }
    EXPECT_THROW((void)weft::reduce(world(), 1, picky, -1), weft::usage_error);
}

TEST(reduce, many_in_a_row_do_not_mix) {
    for (int round = 0; round < 300; ++round) {
        int const root = round % size();
        auto const at_root = weft::reduce(world(), round + rank(), std::plus<>(), root);
        if (rank() == root) { ASSERT_EQ(*at_root, size() * round + size() * (size() - 1) / 2); }
        ASSERT_EQ(weft::scan(world(), round, std::plus<>()), round * (rank() + 1));
        ASSERT_EQ(weft::all_reduce(world(), std::vector{round},
                      [](auto const& a, auto const& b) { return std::vector{a.front() + b.front()}; })
                      .front(),
            round * size());
    }
}
