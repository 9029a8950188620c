#include "file_range.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace weft::io {

namespace {

class range_stream final : public byte_stream {
public:
    range_stream(file_handle file, std::int64_t begin, std::int64_t end)
        : file_(std::move(file)), begin_(begin), at_(begin), end_(end) {}

    std::size_t read(char* into, std::size_t bytes) override {
        std::size_t const wanted = std::min(bytes, static_cast<std::size_t>(end_ - at_));
        std::size_t const got = file_.read(into, wanted, at_);
        if (got < wanted)
            throw io_error(file_.path().string() + ": the file became shorter while it was read");
        at_ += static_cast<std::int64_t>(got);
        return got;
    }

    std::int64_t consumed() const noexcept override { return at_ - begin_; }

private:
    file_handle file_;
    std::int64_t begin_;
    std::int64_t at_;
    std::int64_t end_;
};

} // namespace

std::int64_t line_start_from(file_handle const& file, std::int64_t first, std::int64_t position) {
    if (position <= first) return first;
    std::vector<char> piece(256);
    for (std::int64_t at = position - 1;;) {
        std::size_t const got = file.read(piece.data(), piece.size(), at);
        if (got == 0) return at;
        if (void const* const newline = std::memchr(piece.data(), '\n', got))
            return at + (static_cast<char const*>(newline) - piece.data()) + 1;
        at += static_cast<std::int64_t>(got);
        // Most lines are short; the neighbours of a hub take megabytes.
        piece.resize(std::min(4 * piece.size(), std::size_t{1} << 20));
    }
}

std::int64_t line_number_at(file_handle const& file, std::int64_t offset) {
    std::vector<char> piece(std::size_t{1} << 18);
    std::int64_t line = 1;
    for (std::int64_t at = 0; at < offset;) {
        auto const wanted = static_cast<std::size_t>(std::min<std::int64_t>(offset - at, std::ssize(piece)));
        std::size_t const got = file.read(piece.data(), wanted, at);
        if (got == 0) break;
        line += std::count(piece.data(), piece.data() + got, '\n');
        at += static_cast<std::int64_t>(got);
    }
    return line;
}

std::unique_ptr<byte_stream> open_range(file_handle file, std::int64_t begin, std::int64_t end) {
    return std::make_unique<range_stream>(std::move(file), begin, end);
}

} // namespace weft::io
