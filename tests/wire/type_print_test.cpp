#include <weft/wire/type_print.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace {

struct pair_of_ints {
    int first;
    int second;
};

TEST(type_print, tells_types_of_one_size_and_names_of_two_sizes_apart) {
    std::set<std::uint64_t> const prints{weft::type_print<int>(), weft::type_print<unsigned>(),
        weft::type_print<float>(), weft::type_print<double>(), weft::type_print<pair_of_ints>(),
        weft::type_print<std::vector<int>>(), weft::type_print<std::vector<float>>()};
    EXPECT_EQ(prints.size(), 7u);
    EXPECT_FALSE(prints.contains(0));
    EXPECT_NE(weft::detail::type_print_of(typeid(int), 4), weft::detail::type_print_of(typeid(int), 8));
}

TEST(type_print, depends_on_the_name_and_not_on_the_program) {
    std::uint64_t const by_hand =
        weft::detail::hash_on(weft::detail::hash_on(weft::detail::hash_start, std::string_view("i")), 4);
    EXPECT_EQ(weft::type_print<int>(), by_hand); // "i" by the rules of the C++ ABI
}

TEST(type_print, text_is_readable) {
    EXPECT_EQ(weft::type_text<int>(), "int (4 bytes)");
    EXPECT_EQ(weft::type_text<char>(), "char (1 byte)");
    EXPECT_NE(weft::type_text<pair_of_ints>().find("pair_of_ints (8 bytes)"), std::string::npos);
}

} // namespace
