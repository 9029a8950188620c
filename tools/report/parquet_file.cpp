// The format is that of https://parquet.apache.org/docs/file-format: the pages of all columns, and behind
// them a footer in the compact protocol of Thrift, whose numbers of fields are those of parquet.thrift.
#include "report/parquet_file.hpp"

#include <weft/collective/gather.hpp>
#include <weft/core/version.hpp>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace weft::tool {

namespace {

static_assert(
    std::endian::native == std::endian::little, "values of Parquet are written as they are in memory");

constexpr std::string_view parquet_magic = "PAR1";
constexpr std::size_t page_bytes = std::size_t{1} << 20; // readers take a page at a time

/// Structures of Thrift, as the compact protocol has them.
class thrift_text {
public:
    enum kind : std::uint8_t { i32 = 5, i64 = 6, binary = 8, list = 9, structure = 12 };

    void number(int field, kind of, std::int64_t value) {
        begin_field(field, of);
        varint((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
    }
    void text(int field, std::string_view value) {
        begin_field(field, binary);
        element(value);
    }
    void begin_list(int field, kind of, std::size_t length) {
        begin_field(field, list);
        text_ += static_cast<char>((std::min<std::size_t>(length, 15) << 4) | of);
        if (length >= 15) varint(length);
    }
    void element(std::string_view value) {
        varint(value.size());
        text_ += value;
    }
    void element(int value) { varint(static_cast<std::uint64_t>(value) << 1); }
    void begin_structure(int field) {
        begin_field(field, structure);
        begin_element();
    }
    void begin_element() { last_.push_back(0); }
    void end_structure() {
        text_ += '\0';
        last_.pop_back();
    }
    [[nodiscard]] std::string const& str() const noexcept { return text_; }

private:
    void begin_field(int field, kind of) {
        text_ += static_cast<char>(((field - last_.back()) << 4) | of); // fields ascend by 15 at most
        last_.back() = field;
    }
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7f) | 0x80);
        text_ += static_cast<char>(value);
    }

    std::string text_;
    std::vector<int> last_{0};
};

int type_of(column_kind kind) {
    enum { int64 = 2, ieee_double = 5, byte_array = 6 };
    return kind == column_kind::whole ? int64 : kind == column_kind::real ? ieee_double : byte_array;
}

/// DataPageHeader: every row has a value, so that there are no levels.
std::string page_header(std::size_t bytes, std::int64_t rows) {
    thrift_text header;
    header.number(1, thrift_text::i32, 0); // DATA_PAGE
    header.number(2, thrift_text::i32, static_cast<std::int64_t>(bytes));
    header.number(3, thrift_text::i32, static_cast<std::int64_t>(bytes));
    header.begin_structure(5);
    header.number(1, thrift_text::i32, rows);
    header.number(2, thrift_text::i32, 0); // PLAIN
    header.number(3, thrift_text::i32, 3); // RLE
    header.number(4, thrift_text::i32, 3);
    header.end_structure();
    header.end_structure();
    return header.str();
}

void write_schema(thrift_text& to, std::span<table_column const> columns) {
    to.begin_list(2, thrift_text::structure, columns.size() + 1);
    to.begin_element();
    to.text(4, "schema");
    to.number(5, thrift_text::i32, std::ssize(columns));
    to.end_structure();
    for (table_column const& each : columns) {
        to.begin_element();
        to.number(1, thrift_text::i32, type_of(each.kind));
        to.number(3, thrift_text::i32, 0); // REQUIRED
        to.text(4, each.name);
        if (each.kind == column_kind::words) to.number(6, thrift_text::i32, 0); // UTF8
        to.end_structure();
    }
}

/// ColumnChunk, of which `bytes` bytes begin at `start`.
void write_chunk(
    thrift_text& to, table_column const& column, std::int64_t start, std::int64_t bytes, std::int64_t rows) {
    to.begin_element();
    to.number(2, thrift_text::i64, start);
    to.begin_structure(3);
    to.number(1, thrift_text::i32, type_of(column.kind));
    to.begin_list(2, thrift_text::i32, 2);
    to.element(0); // PLAIN
    to.element(3); // RLE
    to.begin_list(3, thrift_text::binary, 1);
    to.element(column.name);
    to.number(4, thrift_text::i32, 0); // UNCOMPRESSED
    to.number(5, thrift_text::i64, rows);
    to.number(6, thrift_text::i64, bytes);
    to.number(7, thrift_text::i64, bytes);
    to.number(9, thrift_text::i64, start);
    to.end_structure();
    to.end_structure();
}

} // namespace

parquet_rows::parquet_rows(std::vector<table_column> columns)
    : columns_(std::move(columns)), data_(columns_.size()) {
}

void parquet_rows::append(std::size_t column, std::int64_t value) {
    append_bytes(column, &value, sizeof value);
}

void parquet_rows::append(std::size_t column, double value) {
    append_bytes(column, &value, sizeof value);
}

void parquet_rows::append(std::size_t column, std::string_view text) {
    auto const length = static_cast<std::uint32_t>(text.size());
    data_[column].values.append(reinterpret_cast<char const*>(&length), sizeof length);
    append_bytes(column, text.data(), text.size());
}

void parquet_rows::append_bytes(std::size_t column, void const* bytes, std::size_t count) {
    auto& [values, pages, rows] = data_[column];
    values.append(static_cast<char const*>(bytes), count);
    ++rows;
    if (values.size() - (pages.empty() ? 0 : pages.back().end) < page_bytes) return;
    pages.push_back({values.size(), rows});
    rows = 0;
}

std::string parquet_rows::part(communicator const& comm, std::int64_t rows) const {
    std::string text;
    std::vector<std::int64_t> sizes{rows}; // and the bytes of each column
    for (column const& each : data_) {
        std::size_t const before = text.size();
        std::size_t start = 0;
        auto const write_page = [&](std::size_t end, std::int64_t rows_of_page) {
            (text += page_header(end - start, rows_of_page)).append(each.values, start, end - start);
            start = end;
        };
        for (page const& whole : each.pages) write_page(whole.end, whole.rows);
        if (each.rows > 0) write_page(each.values.size(), each.rows);
        sizes.push_back(static_cast<std::int64_t>(text.size() - before));
    }
    std::vector<std::int64_t> const all = all_gatherv(comm, sizes);
    if (comm.rank() == 0) text.insert(0, parquet_magic);
    if (comm.rank() == comm.size() - 1) text += footer(all);
    return text;
}

/// FileMetaData, its length, and the mark of the end. `sizes`: of each rank its rows and the bytes of its
/// columns.
std::string parquet_rows::footer(std::vector<std::int64_t> const& sizes) const {
    std::size_t const of_rank = columns_.size() + 1;
    std::int64_t rows = 0;
    std::size_t groups = 0;
    for (std::size_t at = 0; at < sizes.size(); at += of_rank) {
        rows += sizes[at];
        groups += sizes[at] > 0 ? 1 : 0;
    }
    thrift_text data;
    data.number(1, thrift_text::i32, 1); // the version of the format
    write_schema(data, columns_);
    data.number(3, thrift_text::i64, rows);
    data.begin_list(4, thrift_text::structure, groups);
    auto start = static_cast<std::int64_t>(parquet_magic.size());
    for (std::size_t at = 0; at < sizes.size(); at += of_rank) {
        if (sizes[at] == 0) continue;
        std::int64_t bytes = 0;
        data.begin_element();
        data.begin_list(1, thrift_text::structure, columns_.size());
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            std::int64_t const of_column = sizes[at + 1 + i];
            write_chunk(data, columns_[i], start + bytes, of_column, sizes[at]);
            bytes += of_column;
        }
        data.number(2, thrift_text::i64, bytes);
        data.number(3, thrift_text::i64, sizes[at]);
        data.end_structure();
        start += bytes;
    }
    data.text(6, "weft version " + std::string(version()));
    data.end_structure();
    auto const length = static_cast<std::uint32_t>(data.str().size());
    return data.str() + std::string(reinterpret_cast<char const*>(&length), sizeof length) +
           std::string(parquet_magic);
}

} // namespace weft::tool
