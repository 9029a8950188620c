#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/io/write_text.hpp>

#include <string>

using weft::write_text;
using namespace weft_test;

namespace {

class text_of_all : public with_folder {};

TEST_F(text_of_all, stands_in_the_order_of_ranks) {
    // Every second rank has nothing to say.
    auto const text_of = [](int of) {
        return of % 2 == 1 ? "" : std::string(3 * of + 1, static_cast<char>('a' + of));
    };
    std::string expected;
    for (int of = 0; of < size(); ++of) expected += text_of(of);
    write_text(world(), path("text"), text_of(rank()));
    EXPECT_EQ(content_of(path("text")), expected);
}

TEST_F(text_of_all, may_be_nothing) {
    write_text(world(), path("text"), "");
    EXPECT_EQ(content_of(path("text")), "");
}

TEST_F(text_of_all, replaces_what_was_there_and_leaves_nothing_beside_it) {
    (void)file("text", "much longer than what comes\n");
    write_text(world(), path("text"), rank() == 0 ? "new\n" : "");
    EXPECT_EQ(content_of(path("text")), "new\n");
    meet();
    EXPECT_EQ(
        std::distance(std::filesystem::directory_iterator(path("")), std::filesystem::directory_iterator()),
        1);
}

TEST_F(text_of_all, nowhere_is_an_error_on_all_ranks) {
    EXPECT_THROW(write_text(world(), path("no/folder/text"), "text"), weft::io_error);
}

} // namespace
