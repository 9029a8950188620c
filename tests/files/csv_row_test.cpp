#include <files/csv_row.hpp>

#include <gtest/gtest.h>

namespace {

std::string field(std::string_view of) {
    std::string text;
    weft::append_csv_field(text, of);
    return text;
}

TEST(csv_row, numbers_are_short_and_exact) {
    std::string text;
    weft::append_csv_row(text, 0.1, 3, std::int64_t{-5}, "a b", std::string("c"));
    weft::append_csv_row(text, "");
    EXPECT_EQ(text, "0.1,3,-5,a b,c\n\n");
}

TEST(csv_row, fields_stand_in_quotes_where_a_reader_would_take_them_for_something_else) {
    for (char const* const plain : {"a", "a b", "-", "a#", "\xc3\xa9"}) EXPECT_EQ(field(plain), plain);
    for (std::string const quoted : {"a,b", "a;b", "a|b", " a", "a ", "#a", "a\nb", "a\r"})
        EXPECT_EQ(field(quoted), '"' + quoted + '"');
    EXPECT_EQ(field("say \"a\""), "\"say \"\"a\"\"\"");
}

} // namespace
