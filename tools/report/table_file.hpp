/// Tables that are files: CSV, fields between tabs, arrays of NumPy, or Parquet, by the ending of the name.
#pragma once

#include "report/parquet_file.hpp"
#include "report/table_column.hpp"

#include <files/csv_row.hpp>

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace weft::tool {

/// The look of a table. Names of packed files count without .gz, .bz2, .xz or .zst.
enum class table_style {
    comma,   ///< `.csv`: a header, and quotes where they are needed
    tabs,    ///< `.tsv`: likewise
    numpy,   ///< `.npy`: an array of records with a field for each column
    parquet, ///< `.parquet`: a group of rows for each rank
    another  ///< none of these
};

/// `elsewhere`: of names that end otherwise.
[[nodiscard]] table_style style_of_table(std::string const& file, table_style elsewhere = table_style::comma);

/// The rows that a rank has of a table.
class table_rows {
public:
    /// Local. Throws: `usage_error` for a column of words in a file `.npy`.
    table_rows(std::string const& file, table_style style, std::vector<table_column> columns);

    /// Appends a row of a field for each column: texts and numbers in CSV, which `.npy` and `.parquet` take
    /// as the kind of the column says. Local.
    template <class... Fields>
    void append(Fields const&... fields) {
        std::size_t column = 0;
        (append_field(column++, fields), ...);
        end_row();
    }

    /// Appends a row of texts, which are those of numbers in columns of numbers. Local.
    void append_row(std::span<std::string_view const> fields);
    void append_row(std::initializer_list<std::string_view> fields) {
        append_row(std::span<std::string_view const>(fields.begin(), fields.size()));
    }

    /// Writes the rows of all ranks in the order of ranks. Collective. Throws: `io_error`.
    void write(communicator const& comm) const;

private:
    void end_row();
    template <class Field>
    void append_field(std::size_t column, Field const& field) {
        if constexpr (std::is_arithmetic_v<Field>) {
            if (style_ != table_style::numpy && style_ != table_style::parquet)
                append_number(column, field);
            else if (columns_[column].kind == column_kind::whole)
                append_value(column, static_cast<std::int64_t>(field));
            else
                append_value(column, static_cast<double>(field));
        } else {
            append_text(column, field);
        }
    }
    void append_text(std::size_t column, std::string_view field);
    void separate(std::size_t column) {
        if (column > 0) text_ += style_ == table_style::tabs ? '\t' : ',';
    }
    template <class Number>
    void append_number(std::size_t column, Number number) {
        separate(column);
        append_csv_field(text_, number);
    }
    void append_value(std::size_t column, std::int64_t value);
    void append_value(std::size_t column, double value);
    [[nodiscard]] std::string head(std::int64_t rows_of_all) const;

    std::string file_;
    table_style style_;
    std::vector<table_column> columns_;
    std::string text_;
    std::optional<parquet_rows> parquet_;
    std::int64_t rows_ = 0;
};

/// The part of a help that says how such files look.
inline constexpr char const* table_help =
    "The suffix sets the format: .tsv, .npy (a NumPy array with named fields) or .parquet; any other suffix "
    "gives CSV. TSV and CSV have a header";

} // namespace weft::tool
