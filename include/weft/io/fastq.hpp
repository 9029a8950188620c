/// Sequencer reads in FASTQ files.
#pragma once

#include <weft/io/read_text.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace weft {

/// A read of a sequencer, as views of the text of the file.
struct fastq_read {
    std::string_view name;      ///< The name, without the `@`.
    std::string_view letters;   ///< The bases, as the file has them.
    std::string_view qualities; ///< The qualities, one for each letter.
};

/// Calls `body(fastq_read const&)` for each read in a text of whole reads, such as the text that `read_text`
/// passes to its `body` with the option `fastq`. Empty lines after the last read are skipped. Local. Throws:
/// `text_fault` if a line does not begin with the right character, or if a read has different numbers of
/// letters and qualities. `read_text` turns a `text_fault` into an error with file, line and column.
template <class Body>
void for_each_read(std::string_view text, Body&& body) {
    // A last line without qualities is found again: behind the end all lines are empty.
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    char const* at = text.data();
    char const* const end = at + text.size();
    auto const next_line = [&] {
        auto const* const newline =
            static_cast<char const*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
        char const* const stop = newline == nullptr ? end : newline;
        std::string_view line(at, static_cast<std::size_t>(stop - at));
        at = newline == nullptr ? end : newline + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    };
    auto const expect = [&](std::string_view line, char first, char const* of) {
        if (line.starts_with(first)) return;
        throw text_fault{
            line.data(), std::string("expected '") + first + "' and " + of + ", found " +
                             (line.empty() ? "an empty line" : '"' + std::string(line.substr(0, 20)) + '"')};
    };
    while (at != end) {
        fastq_read read;
        read.name = next_line();
        expect(read.name, '@', "the name of a read");
        read.name.remove_prefix(1);
        read.letters = next_line();
        expect(next_line(), '+', "a repeated name or none");
        read.qualities = next_line();
        if (read.qualities.size() != read.letters.size())
            throw text_fault{read.qualities.data(), "expected " + std::to_string(read.letters.size()) +
                                                        " qualities, one for each letter, found " +
                                                        std::to_string(read.qualities.size())};
        body(std::as_const(read));
    }
}

} // namespace weft
