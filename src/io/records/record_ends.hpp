/// Where records end: at newlines, of quoted records those outside of double quotes, of reads (FASTQ) each
/// fourth one. Private.
#pragma once

#include "io/text/line_chunks.hpp"
#include <files/file_handle.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weft::io {

enum class record_kind : std::uint8_t { line, quoted, read };

/// About the next `bytes` of a stream at the begin of a record, as whole records, at least one; empty at the
/// end. A quote that is never closed goes on to the end. Throws: what the stream throws.
[[nodiscard]] std::string_view next_records(line_chunks& lines, std::size_t bytes, record_kind kind);

/// The double quotes of a file from `begin` to `end`. Throws: `io_error`.
[[nodiscard]] std::int64_t count_quotes(file_handle const& file, std::int64_t begin, std::int64_t end);

/// Where the first record starts behind the first newline at or after `position`; the size of the file where
/// there is none, and 0 for 0. `inside`: `position` is between quotes. Throws: `io_error`.
[[nodiscard]] std::int64_t record_start_behind(
    file_handle const& file, std::int64_t position, record_kind kind, bool inside);

} // namespace weft::io
