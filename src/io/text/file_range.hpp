/// The lines of a plain file that one rank reads.
#pragma once

#include "io/packed/byte_stream.hpp"

#include <cstdint>
#include <memory>

namespace weft::io {

/// Where in the file the first line starts that does not start before `position`, given that one starts at
/// `first`; the size of the file where none does. Every rank comes to the same answer by itself.
[[nodiscard]] std::int64_t line_start_from(
    file_handle const& file, std::int64_t first, std::int64_t position);

/// The number of the line, counted from 1, in which the byte at `offset` stands: reads all before it, for
/// complaints.
[[nodiscard]] std::int64_t line_number_at(file_handle const& file, std::int64_t offset);

/// The bytes of a file from `begin` to `end`.
[[nodiscard]] std::unique_ptr<byte_stream> open_range(file_handle file, std::int64_t begin, std::int64_t end);

} // namespace weft::io
