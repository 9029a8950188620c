/// The files of a reader of texts, and the shares of ranks. Private.
#pragma once

#include "io/packed/byte_stream.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace weft::io {

/// A file as rank 0 saw it.
struct text_file {
    std::string path;
    std::int64_t bytes = 0;
    packing packed = packing::plain;

    static void wire(auto& archive, auto& self) { archive(self.path, self.bytes, self.packed); }
};

/// The files of these names, those in folders included. Local. Throws: `io_error`.
[[nodiscard]] std::vector<text_file> list_text_files(std::vector<std::string> const& names);

/// Bytes of a plain file.
struct file_share {
    std::size_t file;
    std::int64_t begin;
    std::int64_t end;
};

/// The bytes from `begin` to `end` of all plain files, laid end to end. Local.
[[nodiscard]] std::vector<file_share> plain_share(
    std::vector<text_file> const& files, std::int64_t begin, std::int64_t end);

/// "FILE:LINE:COLUMN: " of the byte at `offset` of the unpacked text; a column is a character of UTF-8.
/// Throws: `io_error`.
[[nodiscard]] std::string place_in_file(text_file const& file, std::int64_t offset);

} // namespace weft::io
