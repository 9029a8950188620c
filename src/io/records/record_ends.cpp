#include "record_ends.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace weft::io {

namespace {

/// The end of the last record in a text that begins with one; 0 where none ends.
std::size_t last_record_end(std::string_view text) {
    std::size_t end = 0;
    for (std::size_t at = 0;;) {
        std::size_t const opening = std::min(text.find('"', at), text.size());
        std::size_t const newline = text.substr(at, opening - at).rfind('\n');
        if (newline != text.npos) end = at + newline + 1;
        std::size_t const closing = opening < text.size() ? text.find('"', opening + 1) : text.npos;
        if (closing == text.npos) return end;
        at = closing + 1;
    }
}

/// The end of the last whole read in a text that begins with one; 0 where none ends.
std::size_t last_read_end(std::string_view text) {
    std::size_t end = 0;
    std::size_t newlines = 0;
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
        if (++newlines % 4 == 0) end = at + 1;
    return end;
}

/// Where the first read starts behind the first newline of a text; none where the text does not tell.
std::size_t first_read_start(std::string_view text) {
    // A line of qualities may begin with '@' too, but then the next but one has letters, and no '+'.
    for (std::size_t newline = text.find('\n'); newline != text.npos;
         newline = text.find('\n', newline + 1)) {
        std::size_t const second = text.find('\n', newline + 1);
        std::size_t const third = second == text.npos ? second : text.find('\n', second + 1);
        if (third == text.npos || third + 1 == text.size()) break;
        if (text[newline + 1] == '@' && text[third + 1] == '+') return newline + 1;
    }
    return text.npos;
}

std::int64_t read_start_behind(file_handle const& file, std::int64_t position) {
    for (std::string piece(1024, '\0');; piece.resize(4 * piece.size())) {
        std::size_t const got = file.read(piece.data(), piece.size(), position);
        std::size_t const start = first_read_start(std::string_view(piece).substr(0, got));
        if (start != std::string_view::npos) return position + static_cast<std::int64_t>(start);
        if (got < piece.size()) return position + static_cast<std::int64_t>(got);
    }
}

} // namespace

std::string_view next_records(line_chunks& lines, std::size_t bytes, record_kind kind) {
    if (kind == record_kind::line) return lines.next_lines(bytes);
    for (std::size_t wanted = bytes;; wanted *= 2) {
        std::string_view const text = lines.peek(wanted);
        std::size_t end = kind == record_kind::quoted ? last_record_end(text) : last_read_end(text);
        if (end == 0 && text.size() < wanted) end = text.size();
        if (end == 0 && !text.empty()) continue;
        lines.skip(end);
        return text.substr(0, end);
    }
}

std::int64_t count_quotes(file_handle const& file, std::int64_t begin, std::int64_t end) {
    std::vector<char> piece(std::size_t{1} << 18);
    std::int64_t quotes = 0;
    while (begin < end) {
        auto const wanted = static_cast<std::size_t>(std::min<std::int64_t>(end - begin, std::ssize(piece)));
        std::size_t const got = file.read(piece.data(), wanted, begin);
        if (got == 0) break;
        quotes += std::count(piece.data(), piece.data() + got, '"');
        begin += static_cast<std::int64_t>(got);
    }
    return quotes;
}

std::int64_t record_start_behind(
    file_handle const& file, std::int64_t position, record_kind kind, bool inside) {
    if (position == 0) return 0;
    if (kind == record_kind::read) return read_start_behind(file, position);
    bool const quoted = kind == record_kind::quoted;
    std::vector<char> piece(256);
    while (true) {
        std::size_t const got = file.read(piece.data(), piece.size(), position);
        if (got == 0) return position;
        for (std::size_t i = 0; i < got; ++i) {
            if (quoted && piece[i] == '"') inside = !inside;
            if (piece[i] == '\n' && !inside) return position + static_cast<std::int64_t>(i) + 1;
        }
        position += static_cast<std::int64_t>(got);
        piece.resize(std::min(4 * piece.size(), std::size_t{1} << 20));
    }
}

} // namespace weft::io
