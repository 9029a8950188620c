#include <io/text/scan.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>

using namespace weft::io;

namespace {

/// Text as the scanners want it.
std::string padded(std::string const& text) {
    return text + "\n" + std::string(text_padding, '7');
}

std::optional<std::int64_t> integer(std::string const& text) {
    std::string const whole = padded(text);
    char const* at = whole.data();
    std::int64_t value;
    if (!scan_integer(at, value)) {
        EXPECT_EQ(at, whole.data()) << text;
        return std::nullopt;
    }
    EXPECT_TRUE(ends_field(*at)) << text;
    return value;
}

std::optional<double> number(std::string const& text) {
    std::string const whole = padded(text);
    char const* at = whole.data();
    double value;
    if (!scan_number(at, value)) {
        EXPECT_EQ(at, whole.data()) << text;
        return std::nullopt;
    }
    EXPECT_TRUE(ends_field(*at)) << text;
    return value;
}

bool skips(std::string const& text) {
    std::string const whole = padded(text);
    char const* at = whole.data();
    return skip_number(at) && ends_field(*at);
}

TEST(scan, integers_of_every_length) {
    std::mt19937_64 random(1);
    for (int digits = 1; digits <= 19; ++digits)
        for (int repeat = 0; repeat < 200; ++repeat) {
            std::string text;
            for (int i = 0; i < digits; ++i)
                text += static_cast<char>('0' + random() % (digits == 19 ? 9 : 10));
            EXPECT_EQ(integer(text), std::stoll(text));
            EXPECT_EQ(integer("-" + text), -std::stoll(text));
        }
}

TEST(scan, integers_at_the_limits) {
    EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(integer("+7"), 7);
    EXPECT_EQ(integer("-0"), 0);
    EXPECT_EQ(integer("00000000000000000000000000000042"), 42);
    EXPECT_EQ(integer("0000000000000000"), 0);
    EXPECT_EQ(integer("1 2"), 1);
    EXPECT_EQ(integer("12345678\t"), 12345678);
}

TEST(scan, what_is_no_integer) {
    for (char const* text : {"", "-", "+", "--1", "+-1", "1.5", "1e3", "abc", "12a", "12345678a",
             "1234567890123456a", "9223372036854775808", "-9223372036854775809", "18446744073709551616",
             "99999999999999999999999", ":1", "/1", "1:", "1/", "\xb1"})
        EXPECT_EQ(integer(text), std::nullopt) << text;
}

TEST(scan, numbers) {
    EXPECT_EQ(number("1"), 1.0);
    EXPECT_EQ(number("-.5"), -0.5);
    EXPECT_EQ(number("+.5e1"), 5.0);
    EXPECT_EQ(number("-2.09509889e-5"), -2.09509889e-5);
    EXPECT_EQ(number("1.5D+3"), 1500.0);
    EXPECT_EQ(number("1d2"), 100.0);
    EXPECT_EQ(number("1e-400"), 0.0);
    EXPECT_EQ(number("inf"), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(number("nan").value()));
    for (char const* text : {"", "-", "+", "+-1", "1e400", "1.5x", "x", "1e", "1.2.3", "1D", "0x10"})
        EXPECT_EQ(number(text), std::nullopt) << text;
}

TEST(scan, skipping_numbers_asks_less) {
    for (char const* text : {"1", "-1.5e+3", "1.5D3", "nan", "inf", "1e400"})
        EXPECT_TRUE(skips(text)) << text;
    for (char const* text : {"", "x", "1x", "\"1\""}) EXPECT_FALSE(skips(text)) << text;
}

TEST(scan, quoting_shows_what_stood_there) {
    EXPECT_EQ(in_quotes("abc"), "\"abc\"");
    EXPECT_EQ(in_quotes(std::string_view("a\0\x1b\x7f", 4)), "\"a\\x00\\x1b\\x7f\"");
    EXPECT_EQ(in_quotes("ä"), "\"ä\"");
    EXPECT_EQ(in_quotes(std::string(50, 'x')), "\"" + std::string(40, 'x') + "...\"");
    EXPECT_EQ(found_at("abc def\n"), "\"abc\"");
    EXPECT_EQ(found_at("\n"), "the end of the line");
}

} // namespace
