/// A stream of bytes, cut where lines end.
#pragma once

#include "io/packed/byte_stream.hpp"
#include "text_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace weft::io {

/// Lines of a stream, one by one or many at a time. All texts end in a newline (one is supplied where the
/// last line has none), have `text_padding` behind, and are valid until the next call. Holds what was asked
/// for or the longest line, whichever is longer. Every function that reads throws what the stream throws.
class line_chunks {
public:
    /// `offset` says where in the text the stream starts.
    explicit line_chunks(std::unique_ptr<byte_stream> stream, std::int64_t offset = 0)
        : stream_(std::move(stream)), offset_(offset) {}

    /// About the next `bytes` of the text, not taken; fewer only where less is left.
    [[nodiscard]] std::string_view peek(std::size_t bytes);

    /// The next line; empty, even without a newline, at the end.
    [[nodiscard]] std::string_view next_line();

    /// As many whole lines as fit into `bytes`, at least one; empty at the end.
    [[nodiscard]] std::string_view next_lines(std::size_t bytes);

    /// Drops the next `bytes`, which must have been peeked at.
    void skip(std::size_t bytes) noexcept;

    /// Where the next text starts.
    [[nodiscard]] std::int64_t offset() const noexcept { return offset_; }

    /// Bytes of the file that the stream has consumed.
    [[nodiscard]] std::int64_t consumed() const noexcept { return stream_->consumed(); }

private:
    void fill(std::size_t bytes);
    [[nodiscard]] std::size_t first_line_end(std::size_t from);
    std::string_view take(std::size_t bytes) noexcept;

    std::unique_ptr<byte_stream> stream_;
    text_buffer held_;
    std::int64_t offset_;
    bool at_end_ = false;
};

/// The number of the line, counted from 1, in which the character at `offset` of the text stands: a second
/// pass over the text, for complaints. Throws: as the stream.
[[nodiscard]] std::int64_t line_number_at(std::unique_ptr<byte_stream> stream, std::int64_t offset);

} // namespace weft::io
