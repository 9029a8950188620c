/// Random access to the decompressed bytes of a gzip file.
#pragma once

#include <files/file_handle.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace weft {

/// Returns true if a file has the mark of gzip at byte `at`. Local. Throws: `io_error`.
[[nodiscard]] bool is_gzip(std::filesystem::path const& file, std::int64_t at = 0);

/// Decompresses up to the requested bytes and continues from there; to go back, it restarts from the
/// last kept place, a few megabytes before. Verifies the checksums of the file when it first passes
/// them. Not thread-safe. Source: RFC 1951 and 1952; M. Adler, zran.c of zlib, for the idea of restart
/// places.
class gzip_stream {
public:
    /// `first`: the offset in the file at which gzip data begin.
    explicit gzip_stream(std::filesystem::path const& file, std::int64_t first = 0);
    gzip_stream(gzip_stream&&) noexcept;
    ~gzip_stream();

    /// Reads decompressed bytes. Cost: that of decompressing the bytes on the way; keeps 32 KiB for every 4
    /// MiB, or for a longer distance so that at most 32 MiB are kept. Throws: `io_error` if the file is
    /// damaged or ends early.
    void read_all(std::span<std::byte> into, std::int64_t offset);
    /// Decompresses to the end, which verifies the checksum.
    void check_end();

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace weft
