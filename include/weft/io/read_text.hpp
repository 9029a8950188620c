/// Records of text files, which all ranks read together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

class communicator;

/// A section of a file that consists of whole records. The text of the section ends in a newline, even if the
/// file does not.
struct text_part {
    /// The records. The text is valid until the function to which the `text_part` is passed returns.
    std::string_view text;
    std::size_t file = 0;    ///< The index of the file in `text_totals::files`.
    std::int64_t offset = 0; ///< The offset in the decompressed file, in bytes, at which the text begins.
};

/// A mistake in a text. If the `body` of a reader such as `read_text` throws a `text_fault`, the reader
/// throws an `io_error` on all ranks, whose text names the file, the line and the column.
struct text_fault {
    char const* at;        ///< The first wrong character, in the text that was passed to `body`.
    std::string complaint; ///< "expected ..., found ..."
};

/// Options of reading texts.
struct text_options {
    /// True if newlines between double quotes belong to a record, as in CSV of RFC 4180. Equal on all
    /// ranks.
    bool quoted = false;

    /// True if records are sequencer reads of four lines each: `@` and a name, letters, `+`, and a quality
    /// for each letter. See weft/io/fastq.hpp. The option `fastq` is equal on all ranks, and cannot be
    /// combined with `quoted`.
    bool fastq = false;

    /// The number of bytes of text that a rank keeps at a time; it grows to the length of the longest record.
    std::int64_t block_bytes = std::int64_t{1} << 20;

    /// A function that is called on every rank after every call of `body`, with the number of bytes that have
    /// been read and the number of bytes to read.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// The files that were read.
struct text_totals {
    std::vector<std::string> files; ///< The files; files of a folder have the order of their names.
    std::int64_t bytes = 0;         ///< The size of all files on disk, in bytes.
    /// True if the ranks, one after the other, have the records in the order of the files; false with
    /// compressed files.
    bool in_order = true;
};

/// Reads text files. Files may be plain, or compressed by gzip, bzip2, xz or zstd; the content of a file
/// shows its compression. A folder means all files in it, in the order of their names, except hidden files
/// and folders. Calls `body` with sections of whole records; each section goes to one rank. All plain files
/// together are divided evenly, so all ranks take part for one large file as well as for many small ones. A
/// compressed file is decompressed by one rank; if there are fewer compressed files than ranks, their records
/// are distributed over all ranks. `body` may use containers and channels of mailboxes, but must make no
/// collective call. Collective: yes, over `comm`, with the same files. Blocks: until all files have been
/// read. Cost: one pass over the files, two passes over plain files if `quoted` is true; two small
/// all-reduces; for compressed files whose records are distributed, an exchange and a small all-reduce for
/// every P blocks (at most 256 MiB, or 64 KiB per rank). Order: rank 0 gets the first records of the plain
/// files, rank 1 the next records, and so on; records of compressed files have no defined order. Throws:
/// `io_error`, the same on all ranks, if a file cannot be read, and for the first `text_fault` in the files,
/// "FILE:LINE:COLUMN: expected ..., found ..."; `usage_error` for an empty list of files, a `block_bytes`
/// below 1, or if both `quoted` and `fastq` are true; errors of `body` and `progress`, on all ranks.
text_totals read_text(communicator const& comm, std::vector<std::string> const& files,
    std::function<void(text_part const&)> const& body, text_options const& options = {});

/// Calls `body(std::string_view)` for each line of a text, without the end of the line (LF, or CR and LF).
template <class Body>
void for_each_line(std::string_view text, Body&& body) {
    char const* at = text.data();
    char const* const end = at + text.size();
    while (at != end) {
        auto const* const newline =
            static_cast<char const*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
        char const* const stop = newline == nullptr ? end : newline;
        std::string_view line(at, static_cast<std::size_t>(stop - at));
        if (line.ends_with('\r')) line.remove_suffix(1);
        body(line);
        at = newline == nullptr ? end : newline + 1;
    }
}

} // namespace weft
