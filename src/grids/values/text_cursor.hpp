/// Reads words, lines and numbers from a file that may also have binary parts.
#pragma once

#include <files/file_handle.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// A byte of a file and the line that it is in.
struct text_place {
    std::int64_t offset = 0;
    std::int64_t line = 1;
};

/// How many words lie between places to come back to.
inline constexpr std::int64_t words_between_places = std::int64_t{1} << 16;

/// The letters that end words beside blanks.
enum class word_ends : std::uint8_t {
    blanks, ///< Nothing else.
    commas, ///< Commas stand for blanks.
    tags    ///< A tag of XML ends the text: no word goes beyond "<".
};

/// A place in a file that moves on. Every call throws `io_error`, with the line, where the file ends too
/// early or holds something else.
class text_cursor {
public:
    explicit text_cursor(std::filesystem::path const& file, word_ends ends = word_ends::blanks)
        : file_(file_handle::open_to_read(file)), ends_(ends) {}

    [[nodiscard]] file_handle const& file() const noexcept { return file_; }
    [[nodiscard]] std::int64_t offset() const noexcept { return start_ + static_cast<std::int64_t>(next_); }

    /// The next word; empty at the end of the file.
    [[nodiscard]] std::string word_or_end();
    /// The next word, which `expected` describes.
    [[nodiscard]] std::string word(char const* expected);
    /// The rest of the line, without blanks around it; goes behind its end.
    [[nodiscard]] std::string rest_of_line();
    [[nodiscard]] std::int64_t whole_number(char const* expected);
    [[nodiscard]] double number(char const* expected);
    /// A number that must be followed by a blank: the end of the file there may be a number cut short.
    [[nodiscard]] double value();
    /// The same of integers of 64 bits.
    template <class Integer>
    [[nodiscard]] Integer whole_value();
    /// Skips `count` words; the last is followed by a blank.
    void skip_words(std::int64_t count);
    /// The same, and gives the places of the first of them and of every `words_between_places`-th one.
    [[nodiscard]] std::vector<text_place> places_of_words(std::int64_t count);
    /// Skips `count` bytes. Throws: `io_error` where the file ends before.
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
    std::int64_t start_ = 0; // of the piece, in the file
    std::size_t next_ = 0;
    std::int64_t line_ = 1;
};

/// The line of a byte of a file, for errors. Local. Cost: a pass over what is before it.
[[nodiscard]] std::int64_t line_of_byte(std::filesystem::path const& file, std::int64_t offset);

} // namespace weft
