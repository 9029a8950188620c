#include <grids/values/gzip_stream.hpp>

#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <random>

using namespace weft;
using namespace weft_test;

namespace {

/// 20 MB that gzip halves or so.
std::string long_text() {
    std::mt19937 random(7);
    std::string text;
    while (text.size() < 20'000'000) text += std::to_string(random() % 100'000) + ' ';
    return text;
}

std::string gzipped(std::string const& text) {
    z_stream out{};
    if (deflateInit2(&out, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
    std::string packed(deflateBound(&out, text.size()), '\0');
    out.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
    out.avail_in = static_cast<unsigned>(text.size());
    out.next_out = reinterpret_cast<unsigned char*>(packed.data());
    out.avail_out = static_cast<unsigned>(packed.size());
    deflate(&out, Z_FINISH);
    packed.resize(packed.size() - out.avail_out);
    deflateEnd(&out);
    return packed;
}

std::string read(gzip_stream& from, std::size_t bytes, std::int64_t offset) {
    std::string found(bytes, '\0');
    from.read_all(std::as_writable_bytes(std::span(found)), offset);
    return found;
}

using gzip_streams = with_folder;

TEST_F(gzip_streams, any_place_is_read_in_any_order) {
    std::string const text = long_text();
    gzip_stream from(file("text.gz", gzipped(text)));
    std::mt19937 random(8);
    for (int i = 0; i < 60; ++i) {
        std::size_t const at = random() % text.size();
        std::size_t const bytes = std::min<std::size_t>(random() % 100'000, text.size() - at);
        ASSERT_EQ(read(from, bytes, static_cast<std::int64_t>(at)), text.substr(at, bytes));
    }
    EXPECT_EQ(read(from, text.size(), 0), text);
    from.check_end();
    EXPECT_THROW((void)read(from, 2, static_cast<std::int64_t>(text.size()) - 1), io_error);
    EXPECT_EQ(read(from, 10, 5'000'000), text.substr(5'000'000, 10));
}

TEST_F(gzip_streams, members_follow_each_other_behind_whatever_is_before) {
    std::string const text = long_text();
    std::string const packed = "head" + gzipped(text) + gzipped("") + gzipped("the end");
    auto const path = file("text.gz", packed);
    EXPECT_FALSE(is_gzip(path));
    EXPECT_TRUE(is_gzip(path, 4));
    gzip_stream from(path, 4);
    auto const size = static_cast<std::int64_t>(text.size());
    EXPECT_EQ(read(from, 9, size - 2), text.substr(text.size() - 2) + "the end");
    from.check_end();
    EXPECT_EQ(read(from, 4, 17), text.substr(17, 4));
    EXPECT_EQ(read(from, 3, size + 4), "end");
    from.check_end();
}

TEST_F(gzip_streams, damage_is_an_error) {
    std::string const packed = gzipped("some words, some words");
    std::string const cut = packed.substr(0, packed.size() - 9);
    gzip_stream short_one(file("cut.gz", cut));
    EXPECT_THROW(
        {
            (void)read(short_one, 22, 0);
            short_one.check_end();
        },
        io_error);
    std::string wrong = packed;
    wrong[packed.size() - 8] = static_cast<char>(wrong[packed.size() - 8] ^ 1);
    gzip_stream other(file("wrong.gz", wrong));
    EXPECT_EQ(read(other, 22, 0), "some words, some words");
    EXPECT_THROW(other.check_end(), io_error);
    EXPECT_THROW(gzip_stream(file("text", "no gzip at all")), io_error);
}

} // namespace
