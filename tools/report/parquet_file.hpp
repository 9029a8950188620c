/// Parquet files, written by all ranks without a library.
#pragma once

#include "report/table_column.hpp"

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tool {

/// The rows that a rank has of a Parquet file: a row group, of uncompressed pages of plain values (ADR 246).
class parquet_rows {
public:
    explicit parquet_rows(std::vector<table_column> columns);

    /// Appends a value to a column, of its kind; in the end all columns have one for each row. Local.
    void append(std::size_t column, std::int64_t value);
    void append(std::size_t column, double value);
    void append(std::size_t column, std::string_view text);

    /// Returns this rank's part of the file, of `rows` rows; the parts of all ranks in their order are the
    /// file. Collective: yes. Blocks: until all ranks have called. Cost: an all-gather of a word for each
    /// column and one more.
    [[nodiscard]] std::string part(communicator const& comm, std::int64_t rows) const;

private:
    struct page {
        std::size_t end; // of its bytes in `values`
        std::int64_t rows;
    };
    struct column {
        std::string values = {};
        std::vector<page> pages = {};
        std::int64_t rows = 0; // behind the last page
    };
    void append_bytes(std::size_t column, void const* bytes, std::size_t count);
    [[nodiscard]] std::string footer(std::vector<std::int64_t> const& sizes) const;

    std::vector<table_column> columns_;
    std::vector<column> data_;
};

} // namespace weft::tool
