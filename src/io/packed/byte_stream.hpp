/// The text of a file from its beginning, decompressed where it is compressed.
#pragma once

#include <files/file_handle.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace weft::io {

enum class packing : std::uint8_t { plain, gzip, bzip2, xz, zstd };

/// How a file is packed, by its first bytes. Throws: `io_error` for archives that Weft does not unpack.
[[nodiscard]] packing packing_of(file_handle const& file);

/// Bytes that come one after the other.
class byte_stream {
public:
    virtual ~byte_stream() = default;

    /// The next bytes of the text, at most `bytes` of them; 0 only at its end. Throws: `io_error`, also for a
    /// packed stream that is truncated or corrupt.
    [[nodiscard]] virtual std::size_t read(char* into, std::size_t bytes) = 0;

    /// Bytes of the file consumed so far.
    [[nodiscard]] virtual std::int64_t consumed() const noexcept = 0;
};

/// The file from its beginning.
[[nodiscard]] std::unique_ptr<byte_stream> open_stream(file_handle file, packing packed);

} // namespace weft::io
