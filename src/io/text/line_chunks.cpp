#include "line_chunks.hpp"

#include <algorithm>
#include <vector>

namespace weft::io {

std::string_view line_chunks::peek(std::size_t bytes) {
    fill(bytes);
    return held_.text().substr(0, bytes);
}

std::string_view line_chunks::next_line() {
    constexpr std::size_t usual = std::size_t{1} << 12;
    if (held_.size() == 0) fill(usual);
    return take(first_line_end(0));
}

std::string_view line_chunks::next_lines(std::size_t bytes) {
    fill(bytes);
    std::size_t const last_newline = held_.text().substr(0, bytes).rfind('\n');
    if (last_newline != std::string_view::npos) return take(last_newline + 1);
    return take(first_line_end(std::min(bytes, held_.size())));
}

void line_chunks::skip(std::size_t bytes) noexcept {
    take(bytes);
}

void line_chunks::fill(std::size_t bytes) {
    while (held_.size() < bytes && !at_end_) {
        std::size_t const missing = bytes - held_.size();
        std::size_t const got = stream_->read(held_.room(missing), missing);
        held_.put(got);
        at_end_ = got == 0;
    }
    if (at_end_ && held_.size() != 0 && held_.text().back() != '\n') {
        *held_.room(1) = '\n';
        held_.put(1);
    }
}

/// Where the first line ends, none of whose first `from` characters is a newline.
std::size_t line_chunks::first_line_end(std::size_t from) {
    while (true) {
        std::size_t const newline = held_.text().find('\n', from);
        if (newline != std::string_view::npos) return newline + 1;
        from = held_.size();
        if (at_end_) return from;
        fill(2 * from + 1);
    }
}

std::string_view line_chunks::take(std::size_t bytes) noexcept {
    std::string_view const taken = held_.text().substr(0, bytes);
    held_.take(bytes);
    offset_ += static_cast<std::int64_t>(bytes);
    return taken;
}

std::int64_t line_number_at(std::unique_ptr<byte_stream> stream, std::int64_t offset) {
    std::vector<char> piece(std::size_t{1} << 18);
    std::int64_t line = 1;
    while (offset > 0) {
        std::size_t const wanted =
            static_cast<std::size_t>(std::min<std::int64_t>(offset, std::ssize(piece)));
        std::size_t const got = stream->read(piece.data(), wanted);
        if (got == 0) break;
        line += std::count(piece.data(), piece.data() + got, '\n');
        offset -= static_cast<std::int64_t>(got);
    }
    return line;
}

} // namespace weft::io
