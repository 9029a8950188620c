#include <io/packed/byte_stream.hpp>
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

TEST_F(text_of_all, is_packed_where_the_name_asks_for_it) {
    for (char const* const name : {"text.gz", "text.BZ2", "text.xz", "text.zst"})
        for (std::size_t const length : {std::size_t{0}, std::size_t{5}, std::size_t{300'000}}) {
            SCOPED_TRACE(name);
            auto const text_of = [length](int of) {
                std::string made;
                if (of % 2 == 0)
                    while (made.size() < length) made += std::to_string(made.size() * 7919 + of) + "\n";
                return made;
            };
            std::string expected;
            for (int of = 0; of < size(); ++of) expected += text_of(of);
            write_text(world(), path(name), text_of(rank()));
            auto file = weft::file_handle::open_to_read(path(name));
            weft::io::packing const packed = weft::io::packing_of(file);
            EXPECT_NE(packed, weft::io::packing::plain);
            auto const stream = weft::io::open_stream(std::move(file), packed);
            std::string found(expected.size() + 1, '\0');
            std::size_t bytes = 0;
            while (std::size_t const more = stream->read(found.data() + bytes, found.size() - bytes))
                bytes += more;
            found.resize(bytes);
            EXPECT_EQ(found, expected);
            meet();
        }
}

TEST_F(text_of_all, nowhere_is_an_error_on_all_ranks) {
    EXPECT_THROW(write_text(world(), path("no/folder/text"), "text"), weft::io_error);
}

} // namespace
