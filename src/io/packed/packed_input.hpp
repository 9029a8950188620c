/// The common part of the decompressors: their input in pieces, and how they complain.
#pragma once

#include <files/file_handle.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft::io {

/// The bytes of a compressed file, piece by piece.
class packed_input {
public:
    /// `first`: the byte where it begins.
    explicit packed_input(file_handle file, std::int64_t first = 0)
        : file_(std::move(file)), piece_(std::size_t{1} << 18), consumed_(first) {}

    /// The next piece; empty at the end of the file. Valid until the next call. Throws: `io_error`.
    [[nodiscard]] std::span<unsigned char const> next();

    /// The byte behind those that were handed out.
    [[nodiscard]] std::int64_t consumed() const noexcept { return consumed_; }

    /// Throws the `io_error` for a stream that ends too early.
    [[noreturn]] void fail_truncated(char const* kind) const;

    /// Throws the `io_error` for a stream that does not decode, `cause` in the words of its library.
    [[noreturn]] void fail_corrupt(char const* kind, char const* cause) const;

private:
    file_handle file_;
    std::vector<unsigned char> piece_;
    std::int64_t consumed_;
};

} // namespace weft::io
