#include <grids/values/text_cursor.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <type_traits>

namespace weft {

namespace {

constexpr std::size_t most_in_a_word = 4096;

/// Returns the start of a word for a message, in printable characters.
std::string shown(std::string const& word) {
    std::string text;
    for (char const each : word.substr(0, 40)) text += each >= ' ' && each <= '~' ? each : '?';
    return '"' + text + (word.size() > 40 ? "..." : "") + '"';
}

} // namespace

void text_cursor::fail(std::string const& text) const {
    throw io_error(file_.path().string() + ":" + std::to_string(line_) + ": " + text);
}

bool text_cursor::is_blank(int each) const noexcept {
    return each == ' ' || each == '\t' || each == '\r' || each == '\n' || each == '\v' || each == '\f' ||
           (each == ',' && ends_ == word_ends::commas);
}

bool text_cursor::ends_word(int each) const noexcept {
    return each < 0 || is_blank(each) || (each == '<' && ends_ == word_ends::tags);
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
    for (int each = peek(); !ends_word(each); each = peek()) {
        if (word.size() == most_in_a_word) fail("expected text, found a word of more than 4,096 characters");
        word += static_cast<char>(each);
        take();
    }
    return word;
}

std::string text_cursor::word(char const* expected) {
    std::string found = word_or_end();
    if (found.empty())
        fail(std::string("expected ") + expected +
             (peek() == '<' ? ", found the end of the values" : ", found the end of the file"));
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

void text_cursor::fail_at_end() {
    if (peek() < 0) fail("the file ends right behind a value, which may be cut short; copy the file again");
}

double text_cursor::value() {
    double const found = number("a value");
    fail_at_end();
    return found;
}

template <class Integer>
Integer text_cursor::whole_value() {
    std::string const text = word("a value of 64 bits");
    char const* const first = text.data() + (text[0] == '+' ? 1 : 0);
    Integer found = 0;
    auto const [stop, error] = std::from_chars(first, text.data() + text.size(), found);
    if (error != std::errc{} || stop != text.data() + text.size())
        fail(std::string("expected a ") +
             (std::is_signed_v<Integer> ? "whole number" : "number of at least 0") + " of 64 bits, found " +
             shown(text));
    fail_at_end();
    return found;
}
template std::int64_t text_cursor::whole_value<std::int64_t>();
template std::uint64_t text_cursor::whole_value<std::uint64_t>();

void text_cursor::skip_words(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        while (is_blank(peek())) take();
        if (ends_word(peek())) (void)word("a value"); // fails
        while (!ends_word(peek())) take();
    }
    if (count > 0) fail_at_end();
}

std::vector<text_place> text_cursor::places_of_words(std::int64_t count) {
    std::vector<text_place> places{place()};
    for (std::int64_t left = count; left > 0; left -= words_between_places) {
        skip_words(std::min(left, words_between_places));
        if (left > words_between_places) places.push_back(place());
    }
    return places;
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

std::int64_t line_of_byte(std::filesystem::path const& path, std::int64_t offset) {
    file_handle const file = file_handle::open_to_read(path);
    std::vector<char> piece(std::size_t{1} << 16);
    std::int64_t line = 1;
    for (std::int64_t at = 0; at < offset;) {
        auto const wanted = std::min<std::int64_t>(offset - at, static_cast<std::int64_t>(piece.size()));
        std::size_t const got = file.read(piece.data(), static_cast<std::size_t>(wanted), at);
        if (got == 0) break;
        line += std::count(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got), '\n');
        at += static_cast<std::int64_t>(got);
    }
    return line;
}

} // namespace weft
