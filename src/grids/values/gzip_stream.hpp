/// The bytes that a file of gzip unpacks to, read at any place.
#pragma once

#include <files/file_handle.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace weft {

/// True if a file begins with the mark of gzip at a byte. Local. Throws: `io_error`.
[[nodiscard]] bool is_gzip(std::filesystem::path const& file, std::int64_t at = 0);

/// Unpacks up to the bytes that are asked for and goes on from there; going back begins at the last of the
/// places that it has kept, a few megabytes before. Checks the sums of the file where it comes past them for
/// the first time. Not for several threads. Source: RFC 1951 and 1952; M. Adler, zran.c of zlib, for the
/// idea of places from which unpacking can begin.
class gzip_stream {
public:
    /// `first`: the byte of the file where gzip begins.
    explicit gzip_stream(std::filesystem::path const& file, std::int64_t first = 0);
    gzip_stream(gzip_stream&&) noexcept;
    ~gzip_stream();

    /// Reads unpacked bytes. Cost: of what is unpacked on the way; 32 KiB are kept for every 4 MiB, later
    /// for more, so that they are at most 32 MiB. Throws: `io_error` where the file is damaged or ends
    /// before.
    void read_all(std::span<std::byte> into, std::int64_t offset);
    /// Goes on to the end of what is packed, which checks its sum.
    void check_end();

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace weft
