#include <weft/core/version.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

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

TEST(version, the_build_is_told) {
    weft::build_facts const told = weft::build_info();
    EXPECT_EQ(told.version, weft::version());
    EXPECT_TRUE(told.commit == "unknown" || told.commit.size() == 12) << told.commit;
#ifdef __clang__
    EXPECT_EQ(told.compiler, "Clang " + std::to_string(__clang_major__) + "." +
                                 std::to_string(__clang_minor__) + "." +
                                 std::to_string(__clang_patchlevel__));
#else
    EXPECT_EQ(told.compiler, "GNU " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
                                 std::to_string(__GNUC_PATCHLEVEL__));
#endif
    EXPECT_FALSE(told.build_type.empty());
    EXPECT_NE(told.mpi.find("MPI"), std::string_view::npos) << told.mpi;
    EXPECT_NE(told.options.find("WEFT_HDF5="), std::string_view::npos) << told.options;
}
