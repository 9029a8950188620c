/// Reads words, lines and numbers from a file that may also have binary parts.
#pragma once

#include <core/file_handle.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// A place in a file that moves on. Every call throws `io_error`, with the line, where the file ends too
/// early or holds something else.
class text_cursor {
public:
    explicit text_cursor(std::filesystem::path const& file) : file_(file_handle::open_to_read(file)) {}

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
    /// Passes so many words, the last followed by a blank.
    void skip_words(std::int64_t count);
    /// Passes so many bytes, which must be there.
    void skip_bytes(std::int64_t count);
    void go_to(std::int64_t offset, std::int64_t line);
    [[nodiscard]] std::int64_t line() const noexcept { return line_; }

    [[noreturn]] void fail(std::string const& text) const;

private:
    [[nodiscard]] int peek();
    void take() noexcept;
    [[nodiscard]] std::string whole_word(char const* expected);

    file_handle file_;
    std::vector<char> piece_;
    std::int64_t start_ = 0; // of the piece, in the file
    std::size_t next_ = 0;
    std::int64_t line_ = 1;
};

} // namespace weft
