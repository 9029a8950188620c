#include <weft/detail/collective/typed_values.hpp>

#include <harness/mpi_test.hpp>

#include <string>

TEST(typed_values, are_combined_from_left_to_right_also_those_that_were_read) {
    auto const join = [](std::string a, std::string const& b) { return a + b; };
    weft::detail::typed_values<std::string, decltype(join) const> values(join);
    values.add("a");
    weft::buffer sent;
    values.write(0, sent);
    ASSERT_EQ(values.read(sent.bytes()), 1U);
    values.add("b");
    values.combine(1, 2);
    values.combination_of(0, 1)->run();
    EXPECT_EQ(values.at(0), "aab");
    EXPECT_TRUE(values.reading_may_throw());
}
