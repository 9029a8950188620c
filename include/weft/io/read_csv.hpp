/// Tables in CSV files, which all ranks read together.
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

/// Options of reading CSV. All options but `block_bytes` and `progress` are equal on all ranks.
struct csv_options {
    /// The columns to read, by name or by number from 1. Default: all columns.
    std::vector<std::string> columns = {};
    /// True if the first record of each file has the names of the columns. The names of the columns are the
    /// same in all files.
    bool header = true;
    /// The character between fields. With '\0' the delimiter is the comma, semicolon, tab or bar, whichever
    /// occurs most often in the first record.
    char delimiter = '\0';
    std::int64_t block_bytes = std::int64_t{1} << 20; ///< As in `text_options`.
    /// As in `text_options`.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// A record of a CSV file, valid until the function to which the record is passed returns.
class csv_row {
public:
    /// Makes a row of fields, with the places at which they begin in the text of the file.
    csv_row(std::span<std::string_view const> fields, std::span<char const* const> places, std::size_t file,
        std::int64_t offset) noexcept
        : fields_(fields), places_(places), file_(file), offset_(offset) {}

    /// Returns the number of columns that are read.
    [[nodiscard]] std::size_t size() const noexcept { return fields_.size(); }
    /// Returns a field, without its quotes.
    [[nodiscard]] std::string_view operator[](std::size_t column) const noexcept { return fields_[column]; }
    /// Returns a field as a whole number. Throws: `text_fault` if the field is not an integer, or needs more
    /// than 64 bits.
    [[nodiscard]] std::int64_t whole(std::size_t column) const;
    /// Returns a field as a number. Throws: `text_fault` if the field is not a number.
    [[nodiscard]] double real(std::size_t column) const;
    /// Returns the place of a field in the text, for a `text_fault`.
    [[nodiscard]] char const* place(std::size_t column) const noexcept { return places_[column]; }
    /// Returns the index of the record's file in `csv_table::files`.
    [[nodiscard]] std::size_t file() const noexcept { return file_; }
    /// Returns the offset in the decompressed file, in bytes, at which the record begins.
    [[nodiscard]] std::int64_t offset() const noexcept { return offset_; }

private:
    std::span<std::string_view const> fields_;
    std::span<char const* const> places_;
    std::size_t file_;
    std::int64_t offset_;
};

/// The columns and files that `read_csv` has read.
struct csv_table {
    /// Names of the columns that were read; the numbers of the columns, from 1, if there is no header.
    std::vector<std::string> names;
    char delimiter = ',';           ///< The character between fields.
    std::vector<std::string> files; ///< As in `text_totals`.
    std::int64_t bytes = 0;         ///< As in `text_totals`.
    bool in_order = true;           ///< As in `text_totals`.
};

/// The columns of CSV files.
struct csv_head {
    /// Names of all columns; the numbers of the columns, from 1, if there is no header.
    std::vector<std::string> names;
    /// The columns to read: for each column its index in the list `names`.
    std::vector<std::size_t> asked;
    char delimiter = ','; ///< The character between fields.
};

/// Reads the names of the columns, and the delimiter, from the first of some CSV files. Collective: yes, over
/// `comm`. Blocks: until rank 0 has read the head. Cost: a broadcast. Throws: `io_error`, the same on all
/// ranks, if the file cannot be read or lacks a column; `usage_error` for an empty list of files or an
/// invalid delimiter.
[[nodiscard]] csv_head read_csv_head(
    communicator const& comm, std::vector<std::string> const& files, csv_options const& options = {});

/// Reads CSV files by the rules of RFC 4180 and calls `body` with each record. Any character may be the
/// delimiter, lines end in LF or CR LF, blanks belong to fields, and fields in double quotes may contain
/// delimiters, newlines, and doubled quotes. Blank lines and a byte order mark are skipped. Files and folders
/// are divided among the ranks as by `read_text`. Collective: yes, over `comm`. Blocks, Order: as
/// `read_text`. Cost: as `read_text` with quotes, and a broadcast. Throws: as `read_text`; `io_error` for
/// records with different numbers of fields, a quote inside a field without quotes, a missing column, and
/// files whose headers differ.
csv_table read_csv(communicator const& comm, std::vector<std::string> const& files,
    std::function<void(csv_row const&)> const& body, csv_options const& options = {});

/// The kind of the values of a column.
enum class csv_kind : std::uint8_t {
    whole, ///< Whole numbers of 64 bits.
    real,  ///< Numbers, for example 0.5 or 1e3.
    text   ///< Any text.
};

/// Returns the kind of each column that `read_csv` would read: the first kind that fits all fields of the
/// column that are not empty; `text` if all fields are empty. Collective, Blocks, Cost, Throws: as
/// `read_csv`, and an all-reduce.
[[nodiscard]] std::vector<csv_kind> find_csv_kinds(
    communicator const& comm, std::vector<std::string> const& files, csv_options const& options = {});

} // namespace weft
