#include "report/table_file.hpp"

#include <weft/core/error.hpp>
#include <weft/io/write_text.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace weft::tool {

namespace {

static_assert(
    std::endian::native == std::endian::little, "arrays of NumPy are written as they are in memory");

/// A number from the text of it that the command has.
template <class Number>
Number number_in(std::string_view text) {
    Number value{};
    if (std::from_chars(text.data(), text.data() + text.size(), value).ptr != text.data() + text.size())
        throw std::logic_error("a table has \"" + std::string(text) + "\" in a column of numbers");
    return value;
}

/// Version 1.0 of the format: its header is padded so that the records are aligned.
std::string numpy_head(std::vector<table_column> const& columns, std::int64_t rows) {
    std::string keys = "{'descr': [";
    for (table_column const& each : columns)
        keys += fmt::format("('{}', '{}'), ", each.name, each.kind == column_kind::whole ? "<i8" : "<f8");
    keys += fmt::format("], 'fortran_order': False, 'shape': ({},), }}", rows);
    constexpr std::size_t start = 10;
    keys.append(64 - (start + keys.size() + 1) % 64, ' ') += '\n';
    auto const length = static_cast<std::uint16_t>(keys.size());
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xff) +
           static_cast<char>(length >> 8) + keys;
}

} // namespace

table_style style_of_table(std::string const& file, table_style elsewhere) {
    std::filesystem::path name(file);
    for (char const* const packed : {".gz", ".bz2", ".xz", ".zst"})
        if (name.extension() == packed) name = name.stem();
    if (name.extension() == ".csv") return table_style::comma;
    if (name.extension() == ".tsv") return table_style::tabs;
    if (name.extension() == ".npy") return table_style::numpy;
    if (name.extension() == ".parquet") return table_style::parquet;
    return elsewhere;
}

table_rows::table_rows(std::string const& file, table_style style, std::vector<table_column> columns)
    : file_(file), style_(style), columns_(std::move(columns)) {
    if (style_ == table_style::parquet) parquet_.emplace(columns_);
    if (style_ != table_style::numpy) return;
    for (table_column const& each : columns_)
        if (each.kind == column_kind::words)
            throw usage_error(file + ": column '" + each.name +
                              "' has texts, which an array of NumPy with numbers has no room for; write "
                              ".csv, .tsv or .parquet");
}

void table_rows::append_row(std::span<std::string_view const> fields) {
    std::size_t column = 0;
    for (std::string_view const each : fields) append_text(column++, each);
    end_row();
}

void table_rows::end_row() {
    ++rows_;
    if (!parquet_ && style_ != table_style::numpy) text_ += '\n';
}

void table_rows::append_value(std::size_t column, std::int64_t value) {
    if (parquet_)
        parquet_->append(column, value);
    else
        text_.append(reinterpret_cast<char const*>(&value), sizeof value);
}

void table_rows::append_value(std::size_t column, double value) {
    if (parquet_)
        parquet_->append(column, value);
    else
        text_.append(reinterpret_cast<char const*>(&value), sizeof value);
}

void table_rows::append_text(std::size_t column, std::string_view field) {
    if (parquet_ || style_ == table_style::numpy) {
        column_kind const kind = columns_[column].kind;
        if (kind == column_kind::whole)
            append_value(column, number_in<std::int64_t>(field));
        else if (kind == column_kind::real)
            append_value(column, number_in<double>(field));
        else
            parquet_->append(column, field);
        return;
    }
    separate(column);
    append_csv_field(text_, field);
}

std::string table_rows::head(std::int64_t rows_of_all) const {
    if (style_ == table_style::numpy) return numpy_head(columns_, rows_of_all);
    std::string names;
    for (table_column const& each : columns_)
        names.append(names.empty() ? "" : style_ == table_style::tabs ? "\t" : ",") += each.name;
    return names + '\n';
}

void table_rows::write(communicator const& comm) const {
    if (parquet_) {
        write_text(comm, file_, parquet_->part(comm, rows_));
        return;
    }
    std::int64_t const rows = style_ == table_style::numpy ? sum(comm, rows_) : rows_;
    write_text(comm, file_, (comm.rank() == 0 ? head(rows) : std::string()) + text_);
}

} // namespace weft::tool
