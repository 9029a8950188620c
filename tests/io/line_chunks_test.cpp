#include <io/text/line_chunks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace weft::io;

namespace {

/// Gives its text in pieces of unequal size.
class text_stream final : public byte_stream {
public:
    text_stream(std::string text, std::size_t longest_piece)
        : text_(std::move(text)), longest_(longest_piece) {}

    std::size_t read(char* into, std::size_t bytes) override {
        std::size_t const now = std::min({bytes, text_.size() - at_, 1 + at_ % longest_});
        std::memcpy(into, text_.data() + at_, now);
        at_ += now;
        return now;
    }
    std::int64_t consumed() const noexcept override { return static_cast<std::int64_t>(at_); }

private:
    std::string text_;
    std::size_t longest_;
    std::size_t at_ = 0;
};

std::string random_lines(std::mt19937& random, bool final_newline) {
    std::string text;
    for (unsigned lines = random() % 20; lines > 0; --lines) {
        text.append(random() % (random() % 5 == 0 ? 300 : 10), static_cast<char>('a' + random() % 26));
        if (lines > 1 || final_newline) text += '\n';
    }
    return text;
}

TEST(line_chunks, cover_the_text_with_whole_lines) {
    std::mt19937 random(1);
    for (int repeat = 0; repeat < 500; ++repeat) {
        std::string const text = random_lines(random, random() % 2 == 0);
        std::size_t const bytes = 1 + random() % 100;
        line_chunks lines(std::make_unique<text_stream>(text, 1 + random() % 50), 1000);
        std::string all;
        while (true) {
            ASSERT_EQ(lines.offset(), 1000 + std::ssize(all));
            std::string_view const chunk = repeat % 2 == 0 ? lines.next_lines(bytes) : lines.next_line();
            if (chunk.empty()) break;
            ASSERT_EQ(chunk.back(), '\n');
            bool const one_line = std::count(chunk.begin(), chunk.end(), '\n') == 1;
            ASSERT_TRUE(one_line || (chunk.size() <= bytes && repeat % 2 == 0));
            all += chunk;
        }
        std::string const expected = text.empty() || text.back() == '\n' ? text : text + "\n";
        ASSERT_EQ(all, expected);
    }
}

TEST(line_chunks, peek_takes_nothing) {
    line_chunks lines(std::make_unique<text_stream>("one\ntwo\n", 3));
    EXPECT_EQ(lines.peek(5), "one\nt");
    EXPECT_EQ(lines.peek(100), "one\ntwo\n");
    lines.skip(4);
    EXPECT_EQ(lines.offset(), 4);
    EXPECT_EQ(lines.next_line(), "two\n");
    EXPECT_EQ(lines.next_line(), "");
}

TEST(line_chunks, line_numbers_count_from_one) {
    std::string const text = "a\n\nbc\n";
    std::vector<std::int64_t> const expected{1, 1, 2, 3, 3, 3, 4, 4};
    for (std::size_t offset = 0; offset < expected.size(); ++offset)
        EXPECT_EQ(line_number_at(std::make_unique<text_stream>(text, 2), static_cast<std::int64_t>(offset)),
            expected[offset]);
}

} // namespace
