#include "record_ends.hpp"

#include <algorithm>
#include <cstring>
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

} // namespace

std::string_view next_records(line_chunks& lines, std::size_t bytes, bool quoted) {
    if (!quoted) return lines.next_lines(bytes);
    for (std::size_t wanted = bytes;; wanted *= 2) {
        std::string_view const text = lines.peek(wanted);
        std::size_t end = last_record_end(text);
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

std::int64_t record_start_behind(file_handle const& file, std::int64_t position, bool quoted, bool inside) {
    if (position == 0) return 0;
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
