#include <weft/core/version.hpp>

#include <gtest/gtest.h>

#include <string>

TEST(version, the_library_is_that_of_the_headers) {
    EXPECT_EQ(weft::version(), WEFT_VERSION_TEXT);
}

TEST(version, numbers_and_text_agree) {
    std::string const text = std::to_string(WEFT_VERSION_MAJOR) + "." + std::to_string(WEFT_VERSION_MINOR) +
                             "." + std::to_string(WEFT_VERSION_PATCH);
    EXPECT_EQ(text, WEFT_VERSION_TEXT);
#if WEFT_VERSION < 200 || WEFT_VERSION >= 1000000
    FAIL() << "WEFT_VERSION does not compare with numbers in the preprocessor";
#endif
}
