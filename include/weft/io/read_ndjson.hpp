/// Files with a JSON value on each line, which all ranks read together.
#pragma once

#include <weft/io/read_text.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

class communicator;

/// Options of reading JSON. The paths are equal on all ranks.
struct ndjson_options {
    /// The paths of the values to read: names of members separated by dots, and [] after the name of a list
    /// to read its elements, as in `user.name` or `tags[].text`. Default: no paths, for bodies that use whole
    /// records.
    std::vector<std::string> paths = {};
    std::int64_t block_bytes = std::int64_t{1} << 20; ///< As in `text_options`.
    /// As in `text_options`.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// The kind of a value of JSON.
enum class json_kind : std::uint8_t {
    null,    ///< null
    boolean, ///< true or false
    number,  ///< A number of any size.
    text,    ///< A text.
    object,  ///< Members between braces.
    list     ///< Elements between brackets.
};

/// A value of a JSON record, valid until the function to which the value is passed returns.
struct json_value {
    json_kind kind = json_kind::null; ///< The kind of the value.
    /// For a string its characters in UTF-8, without quotes and escapes; for other values the text in the
    /// file, so that numbers lose no digits, and objects and lists can be parsed or stored.
    std::string_view text = {};
    char const* place = nullptr; ///< The place of the value in the text, for a `text_fault`.

    /// Returns the value as a whole number. Throws: `text_fault` if the value is not a whole number, or needs
    /// more than 64 bits.
    [[nodiscard]] std::int64_t whole() const;
    /// Returns the value as a number. Throws: `text_fault` if the value is not a number.
    [[nodiscard]] double real() const;
};

/// A JSON record, valid until the function to which the record is passed returns.
class json_row {
public:
    /// Makes a row from the paths, the values at each path, the text of the record, the index of its file and
    /// its offset in the file.
    json_row(std::span<std::string const> paths, std::span<std::vector<json_value> const> values,
        std::string_view text, std::size_t file, std::int64_t offset) noexcept
        : paths_(paths), values_(values), text_(text), file_(file), offset_(offset) {}

    /// Returns the number of paths that are read.
    [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
    /// Returns the values at a path in the order of the record. The list is empty if the record has no such
    /// member, and has several values if the path goes through a list or if a member occurs several times.
    [[nodiscard]] std::span<json_value const> operator[](std::size_t path) const noexcept {
        return values_[path];
    }
    /// Returns the only value at a path. Throws: `text_fault` if the path has 0 or several values.
    [[nodiscard]] json_value const& one(std::size_t path) const;
    /// Returns the text of the record, without blanks around it.
    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    /// Returns the index of the record's file in `text_totals::files`.
    [[nodiscard]] std::size_t file() const noexcept { return file_; }
    /// Returns the offset in the decompressed file, in bytes, at which the record begins.
    [[nodiscard]] std::int64_t offset() const noexcept { return offset_; }

private:
    std::span<std::string const> paths_;
    std::span<std::vector<json_value> const> values_;
    std::string_view text_;
    std::size_t file_;
    std::int64_t offset_;
};

/// Reads files with a JSON value (RFC 8259) on each line and calls `body` with each value. Blank lines, CR
/// before LF, and a byte order mark are skipped. The whole line is checked, even values to which no path
/// leads. Files and folders are divided among the ranks as by `read_text`. Collective: yes, over `comm`.
/// Blocks, Cost, Order: as `read_text`. Throws: as `read_text`; `io_error` for a line that is not JSON;
/// `usage_error` for invalid paths.
text_totals read_ndjson(communicator const& comm, std::vector<std::string> const& files,
    std::function<void(json_row const&)> const& body, ndjson_options const& options = {});

} // namespace weft
