/// A folder with a file for each key. All ranks append texts to these files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weft {

class mailbox;

/// Options of a `multi_file`.
struct multi_file_options {
    std::string ending = {}; ///< The ending of the name of each file, such as `.txt`. Equal on all ranks.
    /// The number of bytes of text that a rank collects before it writes texts to their files.
    std::int64_t buffer_bytes = std::int64_t{64} << 20;
};

/// The files that were written.
struct multi_file_totals {
    std::int64_t files = 0; ///< The number of files of all ranks.
    std::int64_t bytes = 0; ///< The number of bytes in the files of all ranks.
};

/// Returns the name of the file of a key, without the ending. Letters, digits, blanks, the characters
/// `-_.,+=@` and all characters beyond ASCII are kept; each other byte, and a dot at the beginning, becomes
/// `%` and two hexadecimal digits. The file of an empty key is `%`.
[[nodiscard]] std::string file_name_of_key(std::string_view key);

/// A folder with a file for each key. All ranks append texts to these files; the rank that owns a key writes
/// the file of the key. There may be any number of keys; only few files are open at a time. Files are written
/// into a folder FOLDER.unfinished, which `close` renames to FOLDER.
///
/// A `multi_file` must not outlive its mailbox.
class multi_file {
public:
    /// Begins a folder. `folder` must not exist yet, or be empty. Collective: yes, over the ranks of the
    /// mailbox, all of which must see the folder. Blocks: until rank 0 has made the folder. Cost: a small
    /// all-reduce. Throws: `usage_error` if arguments differ between ranks, for a folder whose path ends in
    /// `.` or `..` or is empty, for an ending with a slash, and for a `buffer_bytes` below 0; `io_error` for
    /// a folder that contains files or cannot be made; the same on all ranks.
    multi_file(mailbox& mail, std::string const& folder, multi_file_options const& options = {});
    multi_file(multi_file&&) noexcept;
    multi_file& operator=(multi_file&&) noexcept;
    /// Removes the files of this rank if the folder was not closed. Local.
    ~multi_file();

    /// Appends a text to the file of its key. Order: texts of one rank for one key keep their order; texts of
    /// different ranks have no order, but each text stays whole. Local. Cost: a message of the mailbox.
    /// Throws: `usage_error` for a file name of more than 255 bytes, and after `close`.
    void write(std::string_view key, std::string_view text) const;

    /// Completes all files. Collective: yes. Blocks: until all texts are written. Cost: a drain, and two
    /// small all-reduces. Throws: `io_error`, the same on all ranks, if a file cannot be written, and then
    /// all files are removed; `usage_error` after an earlier `close`; also the errors of `mailbox::drain`.
    multi_file_totals close();

private:
    class state;
    std::unique_ptr<state> state_;
};

} // namespace weft
