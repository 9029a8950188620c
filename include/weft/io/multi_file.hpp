/// Texts of all ranks in a folder, a file for each key.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weft {

class mailbox;

/// Options of a `multi_file`.
struct multi_file_options {
    std::string ending = {}; ///< The end of the name of each file, as `.txt`. Equal on all ranks.
    /// Bytes of text that a rank holds until it writes them to their files.
    std::int64_t buffer_bytes = std::int64_t{64} << 20;
};

/// The files that were written.
struct multi_file_totals {
    std::int64_t files = 0; ///< Files of all ranks.
    std::int64_t bytes = 0; ///< Their bytes.
};

/// Returns the name of the file of a key, without the ending. Letters, digits, blanks, the characters
/// `-_.,+=@` and all beyond ASCII are kept; each other byte, and a dot at the begin, becomes `%` and two hex
/// digits. The name of an empty key is `%`.
[[nodiscard]] std::string file_name_of_key(std::string_view key);

/// A folder with a file for each key, to which all ranks write. The rank that owns a key writes its file, so
/// there may be any number of keys, and few files are open at a time. The folder is written beside its place
/// and appears whole when it is closed.
///
/// Must not outlive its mailbox.
class multi_file {
public:
    /// Begins a folder. It may exist if it is empty. Collective: yes, over the ranks of the mailbox, all of
    /// which must see the folder. Blocks: until rank 0 has begun it. Cost: a small all-reduce. Throws:
    /// `usage_error` if arguments differ, for a folder that ends in `.` or `..` or has no name, for an ending
    /// with a slash, and for a `buffer_bytes` below 0; `io_error` for a folder with files or that cannot be
    /// made; the same on all ranks.
    multi_file(mailbox& mail, std::string const& folder, multi_file_options const& options = {});
    multi_file(multi_file&&) noexcept;
    multi_file& operator=(multi_file&&) noexcept;
    /// Removes the files of this rank if the folder was not closed. Local.
    ~multi_file();

    /// Appends a text to the file of its key. Order: texts of one rank for one key keep their order, those of
    /// several ranks have none, but no text is torn. Local. Cost: a message, in buffers. Throws:
    /// `usage_error` for a name of more than 255 bytes, and once the folder is closed.
    void write(std::string_view key, std::string_view text) const;

    /// Completes all files. Collective: yes. Blocks: until all texts are written. Cost: a drain, and two
    /// small all-reduces. Throws: `io_error`, the same on all ranks, if a file cannot be written, which
    /// leaves nothing behind; `usage_error` if it is closed already; as `mailbox::drain`.
    multi_file_totals close();

private:
    class state;
    std::unique_ptr<state> state_;
};

} // namespace weft
