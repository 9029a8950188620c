/// One stream a compression format; `open_stream` of byte_stream.hpp chooses.
#pragma once

#include "byte_stream.hpp"

#include <cstdint>
#include <memory>

namespace weft::io {

/// gzip, also of several members.
[[nodiscard]] std::unique_ptr<byte_stream> open_gzip(file_handle file);

/// bzip2, also of several streams, from a byte of the file on.
[[nodiscard]] std::unique_ptr<byte_stream> open_bzip2(file_handle file, std::int64_t first = 0);

/// xz, also of several streams.
[[nodiscard]] std::unique_ptr<byte_stream> open_xz(file_handle file);

/// zstd, also of several frames and with long windows.
[[nodiscard]] std::unique_ptr<byte_stream> open_zstd(file_handle file);

} // namespace weft::io
