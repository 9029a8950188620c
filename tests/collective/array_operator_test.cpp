#include <weft/extend/collective/array_operator.hpp>

#include <harness/mpi_test.hpp>

#include <array>

TEST(array_operator, combines_element_by_element_in_the_order_of_the_arrays) {
    auto const last_digits = [](int left, int right) noexcept { return (10 * left + right) % 100; };
    weft::element_operator<int, decltype(last_digits)> how(last_digits);
    EXPECT_FALSE(how.may_throw);
    std::array<int, 3> mine{1, 2, 3};
    std::array<int, 3> const theirs{4, 5, 6};
    auto* const into = reinterpret_cast<std::byte*>(mine.data());
    auto const* const other = reinterpret_cast<std::byte const*>(theirs.data());
    how.combine(into, other, mine.size(), false);
    EXPECT_EQ(mine, (std::array{14, 25, 36}));
    how.combine(into, other, mine.size(), true);
    EXPECT_EQ(mine, (std::array{54, 75, 96}));
}
