#include <grids/values/text_cursor.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace weft {

namespace {

constexpr std::size_t most_in_a_word = 4096;

bool is_blank(int each) noexcept {
    return each == ' ' || each == '\t' || each == '\r' || each == '\n' || each == '\v' || each == '\f';
}

/// The start of a word for a message, of bytes that print.
std::string shown(std::string const& word) {
    std::string text;
    for (char const each : word.substr(0, 40)) text += each >= ' ' && each <= '~' ? each : '?';
    return '"' + text + (word.size() > 40 ? "..." : "") + '"';
}

} // namespace

void text_cursor::fail(std::string const& text) const {
    throw io_error(file_.path().string() + ":" + std::to_string(line_) + ": " + text);
}

int text_cursor::peek() {
    if (next_ == piece_.size()) {
        start_ += static_cast<std::int64_t>(piece_.size());
        next_ = 0;
        piece_.resize(std::size_t{1} << 16);
        piece_.resize(file_.read(piece_.data(), piece_.size(), start_));
        if (piece_.empty()) return -1;
    }
    return static_cast<unsigned char>(piece_[next_]);
}

void text_cursor::take() noexcept {
    if (piece_[next_] == '\n') ++line_;
    ++next_;
}

std::string text_cursor::word_or_end() {
    while (is_blank(peek())) take();
    std::string word;
    for (int each = peek(); each >= 0 && !is_blank(each); each = peek()) {
        if (word.size() == most_in_a_word) fail("expected text, found a word of more than 4,096 characters");
        word += static_cast<char>(each);
        take();
    }
    return word;
}

std::string text_cursor::word(char const* expected) {
    std::string found = word_or_end();
    if (found.empty()) fail(std::string("expected ") + expected + ", found the end of the file");
    return found;
}

std::string text_cursor::rest_of_line() {
    std::string text;
    for (int each = peek(); each >= 0; each = peek()) {
        take();
        if (each == '\n') break;
        if (text.size() == most_in_a_word) fail("expected text, found a line of more than 4,096 characters");
        text += static_cast<char>(each);
    }
    while (!text.empty() && is_blank(text.back())) text.pop_back();
    text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
    return text;
}

std::int64_t text_cursor::whole_number(char const* expected) {
    std::string const text = word(expected);
    std::int64_t found = 0;
    auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), found);
    if (error != std::errc{} || stop != text.data() + text.size())
        fail(std::string("expected ") + expected + ", found " + shown(text));
    return found;
}

double text_cursor::number(char const* expected) {
    std::string const text = word(expected);
    char const* const first = text.data() + (text[0] == '+' ? 1 : 0);
    double found = 0;
    auto const [stop, error] = std::from_chars(first, text.data() + text.size(), found);
    if (error == std::errc::invalid_argument || stop != text.data() + text.size())
        fail(std::string("expected ") + expected + ", found " + shown(text));
    if (error == std::errc::result_out_of_range) return std::strtod(first, nullptr); // 0, or an infinity
    return found;
}

double text_cursor::value() {
    double const found = number("a value");
    if (peek() < 0) fail("the file ends right behind a value, which may be cut short; copy the file again");
    return found;
}

void text_cursor::skip_words(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) (void)word("a value");
    if (count > 0 && peek() < 0)
        fail("the file ends right behind a value, which may be cut short; copy the file again");
}

void text_cursor::skip_bytes(std::int64_t count) {
    std::int64_t const left = file_.size() - offset();
    if (count > left)
        fail("expected " + std::to_string(count) + " bytes of values, found " + std::to_string(left) +
             " up to the end of the file; copy it again");
    go_to(offset() + count, line_);
}

void text_cursor::go_to(std::int64_t offset, std::int64_t line) {
    line_ = line;
    if (offset >= start_ && offset <= start_ + static_cast<std::int64_t>(piece_.size())) {
        next_ = static_cast<std::size_t>(offset - start_);
        return;
    }
    start_ = offset;
    next_ = 0;
    piece_.clear();
}

} // namespace weft
