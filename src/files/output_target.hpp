/// The place that a person named for an output, and the partial file on the way to it. Private.
#pragma once

#include "file_handle.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace weft {

/// How complete bytes come to the place that was named.
enum class delivery {
    replace, ///< a regular file, or none yet: the partial file takes its name
    copy,    ///< a regular file that must stay the same one: it has several names, or another owner
    stream,  ///< standard output, a FIFO or a device: written in order
};

/// How `file` is to be written; "-" is standard output. Throws: `io_error` where it cannot be written.
[[nodiscard]] delivery delivery_to(std::filesystem::path const& file);

/// The file itself, behind symbolic links, also where it does not exist yet. Throws: `io_error`.
[[nodiscard]] std::filesystem::path behind_links(std::filesystem::path file);

/// Where the bytes for `file` are collected: beside a regular file, in `spool_folder` for a stream. The same
/// for all processes that say the same `mark`.
[[nodiscard]] std::filesystem::path partial_path(std::filesystem::path const& file, delivery how,
    std::int64_t mark, std::filesystem::path const& spool_folder);

/// Makes the empty partial file of `file`, with the mode and owner of the file that is there. Returns `copy`
/// where the owner cannot be kept, and else `how`. Throws: `io_error`.
[[nodiscard]] delivery make_partial(
    std::filesystem::path const& part, std::filesystem::path const& file, delivery how);

/// Brings the bytes of the partial file to `file`; the partial file is gone after success.
/// Throws: `io_error`.
void deliver(std::filesystem::path const& part, std::filesystem::path const& file, delivery how);

/// Makes a folder for outputs where there is none. Those above it must exist, as for any output: a name that
/// was misspelt is refused. Throws: `io_error`.
void make_folder(std::filesystem::path const& folder);

/// Writes a whole output of one process. Throws: `io_error`.
void write_output(std::filesystem::path const& file, std::string_view bytes);

} // namespace weft
