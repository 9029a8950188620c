/// Records of text files, read by all ranks at once.
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

/// Whole records of a file. The text ends in a newline, also where the file does not.
struct text_part {
    std::string_view text;   ///< Valid until the body that is called with it returns.
    std::size_t file = 0;    ///< The place in `text_totals::files`.
    std::int64_t offset = 0; ///< The byte of the unpacked file where the text begins.
};

/// A mistake in a text, thrown by bodies of readers: these throw an `io_error` on all ranks that names the
/// file, the line and the column.
struct text_fault {
    char const* at;        ///< The first wrong character of the part.
    std::string complaint; ///< "expected ..., found ..."
};

/// Options of reading texts.
struct text_options {
    /// True if newlines between double quotes belong to a record, as in CSV of RFC 4180. Equal on all
    /// ranks.
    bool quoted = false;

    /// True if records are reads, four lines each: `@` and a name, letters, `+`, and as many qualities. See
    /// weft/io/fastq.hpp. Equal on all ranks, and not together with `quoted`.
    bool fastq = false;

    /// Bytes of text that a rank holds at a time; it grows to the longest record.
    std::int64_t block_bytes = std::int64_t{1} << 20;

    /// Is called on every rank after every part with the bytes of the files that are done and the bytes that
    /// this rank waits for.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// The files that were read.
struct text_totals {
    std::vector<std::string> files; ///< The files, in their order.
    std::int64_t bytes = 0;         ///< Bytes of the files as they are stored.
    bool in_order = true;           ///< True if parts come in the order of files and ranks.
};

/// Reads text files, plain, gzip, bzip2, xz or zstd, detected by content. A folder stands for the files in
/// it, by name, hidden ones and folders left out. Calls `body` with parts of whole records, each of which one
/// rank gets: ranks read equal shares of all plain files, so that all ranks read one file, or many small
/// files. Packed files are unpacked by a rank each, or if there are fewer files than ranks, dealt out. The
/// body may use containers and channels of mailboxes, but make no collective call. Collective: yes, over
/// `comm`, with the same files. Blocks: until all are read. Cost: one pass over the files, two of plain ones
/// with quotes; two small all-reduces, and an exchange and a small all-reduce for each P blocks of packed
/// files that are dealt out (at most 256 MiB, or 64 KiB per rank). Order: with plain files that of the files,
/// on a rank and from rank to rank; unspecified with packed files. Throws: `io_error`, the same on all ranks,
/// where a file cannot be read, and for the `text_fault` that comes first in the files, "FILE:LINE:COLUMN:
/// expected ..., found ..."; `usage_error` for an empty list of files, a `block_bytes` below 1, or two kinds
/// of records; errors of `body` and `progress`, on all ranks.
text_totals read_text(communicator const& comm, std::vector<std::string> const& files,
    std::function<void(text_part const&)> const& body, text_options const& options = {});

/// Calls `body(std::string_view)` for each line of a text, without its end (LF, or CR and LF).
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
