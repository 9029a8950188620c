/// Reads words, lines and numbers from a file that may also have binary parts.
#pragma once

#include <files/file_handle.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// An offset in a file, and its line.
struct text_place {
    std::int64_t offset = 0;
    std::int64_t line = 1;
};

/// The number of words between places that are kept.
inline constexpr std::int64_t words_between_places = std::int64_t{1} << 16;

/// The characters, in addition to blanks, that end words.
enum class word_ends : std::uint8_t {
    blanks, ///< Only blanks.
    commas, ///< Commas count as blanks.
    tags    ///< A tag of XML ends the text: "<" ends a word.
};

/// A position in a file that moves forward. All calls throw `io_error`, with the line, if the file ends early
/// or has other content.
class text_cursor {
public:
    explicit text_cursor(std::filesystem::path const& file, word_ends ends = word_ends::blanks)
        : file_(file_handle::open_to_read(file)), ends_(ends) {}

    [[nodiscard]] file_handle const& file() const noexcept { return file_; }
    [[nodiscard]] std::int64_t offset() const noexcept { return start_ + static_cast<std::int64_t>(next_); }

    /// Reads the next word; empty at the end of the file.
    [[nodiscard]] std::string word_or_end();
    /// Reads the next word; errors describe it as `expected`.
    [[nodiscard]] std::string word(char const* expected);
    /// Reads the rest of the line, without blanks around it, and its end.
    [[nodiscard]] std::string rest_of_line();
    [[nodiscard]] std::int64_t whole_number(char const* expected);
    [[nodiscard]] double number(char const* expected);
    /// Reads a number that must be followed by a blank, since at the end of the file it may be truncated.
    [[nodiscard]] double value();
    /// Does so for integers of 64 bits.
    template <class Integer>
    [[nodiscard]] Integer whole_value();
    /// Skips `count` words; a blank must follow the last one.
    void skip_words(std::int64_t count);
    /// Does so; returns the places of the first one and of every `words_between_places`-th one.
    [[nodiscard]] std::vector<text_place> places_of_words(std::int64_t count);
    /// Skips `count` bytes. Throws: `io_error` if the file ends earlier.
    void skip_bytes(std::int64_t count);
    void go_to(std::int64_t offset, std::int64_t line);
    void go_to(text_place const& place) { go_to(place.offset, place.line); }
    [[nodiscard]] text_place place() const noexcept { return {offset(), line_}; }
    [[nodiscard]] std::int64_t line() const noexcept { return line_; }

    [[noreturn]] void fail(std::string const& text) const;

private:
    [[nodiscard]] int peek();
    void take() noexcept;
    void fail_at_end();
    [[nodiscard]] bool is_blank(int each) const noexcept;
    [[nodiscard]] bool ends_word(int each) const noexcept;

    file_handle file_;
    word_ends ends_;
    std::vector<char> piece_;
    std::int64_t start_ = 0; // offset of the piece in the file
    std::size_t next_ = 0;
    std::int64_t line_ = 1;
};

/// Returns the line of an offset in a file, for errors. Local. Cost: a pass over the bytes before it.
[[nodiscard]] std::int64_t line_of_byte(std::filesystem::path const& file, std::int64_t offset);

} // namespace weft
