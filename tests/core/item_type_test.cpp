#include <weft/extend/core/item_type.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

using weft::item_type;
using weft::print_of;

namespace {

struct particle {
    double place[3];
};
template <class T, int n>
struct several {
    T items[n];
};

} // namespace

TEST(item_type, names_a_type_as_it_is_written) {
    EXPECT_EQ(print_of<int>(4).name, "int");
    EXPECT_EQ(print_of<float>(4).name, "float");
    EXPECT_NE(print_of<particle>(24).name.find("particle"), std::string::npos);
    EXPECT_NE((print_of<several<int[2], 3>>(24).name.find("several<int")), std::string::npos);
    EXPECT_EQ(print_of<std::vector<int>>(0).name.find("T = "), std::string::npos);
    EXPECT_EQ(print_of<std::vector<int>>(0).name.back(), '>');
}

TEST(item_type, tells_types_and_sizes_apart) {
    std::set<std::uint32_t> const numbers{print_of<int>(4).number, print_of<unsigned>(4).number,
        print_of<float>(4).number, print_of<particle>(24).number, print_of<several<int, 1>>(4).number,
        print_of<several<int, 2>>(8).number, print_of<several<float, 2>>(8).number, print_of<int>(0).number,
        print_of<int>(8).number};
    EXPECT_EQ(numbers.size(), 9U);
    for (std::uint32_t const each : numbers) {
        EXPECT_GT(each, 0U);
        EXPECT_LT(each, 1U << 31);
    }
    EXPECT_EQ(print_of<int>(4), print_of<int>(4));
    EXPECT_NE(print_of<int>(4), item_type{});
}

TEST(item_type, says_in_words_what_it_stands_for) {
    EXPECT_EQ(to_string(print_of<int>(4)), "'int' of 4 bytes");
    EXPECT_EQ(to_string(item_type{}), "'bytes' of any number of bytes");
}
