/// Rows of labels and values, written so that labels can be read back.
#pragma once

#include "report/table_file.hpp"

#include <weft/graph/vertex_set.hpp>

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace weft::tool {

/// The rows of a file whose fields may be labels of vertices: a table where its name ends in .csv, .tsv,
/// .npy or .parquet. Elsewhere lines without a header, of fields between blanks, or between tabs where a
/// label has a blank.
class label_rows {
public:
    /// Collective: the style is the same on all ranks. `column_kind::words` is said of labels, which are
    /// numbers in files that have numbers for ids. Throws: `usage_error` for texts in a file `.npy`.
    /// `edges`: the file is to be read as a graph again, so `.tsv` has no header, which would be an edge.
    label_rows(vertex_set const& vertices, std::string const& file, std::vector<table_column> columns,
        bool edges = false);

    /// Appends a line. Local.
    void append(std::initializer_list<std::string_view> fields);

    /// Writes the lines of all ranks in the order of ranks. Collective. Throws: `io_error`.
    void write(communicator const& comm) const;

private:
    std::string file_;
    char separator_ = ' ';
    std::string text_;
    std::optional<table_rows> table_;
};

/// Writes `original-id value` for each vertex; `name` is that of the column of values. Collective. Throws:
/// as `label_rows`.
template <class T>
void write_values_of_vertices(
    vertex_set const& vertices, std::string const& file, std::string const& name, std::span<T const> values) {
    label_rows rows(vertices, file,
        {{"vertex", column_kind::words},
            {name, std::is_floating_point_v<T> ? column_kind::real : column_kind::whole}});
    for (std::size_t i = 0; i < values.size(); ++i)
        rows.append({vertices.original_id(static_cast<std::int64_t>(i)), fmt::format("{}", values[i])});
    rows.write(vertices.comm());
}

/// The sentence of a help that says how such files look.
inline constexpr char const* label_rows_help =
    ". The ending of the name sets the format: .csv and .tsv are tables with a header, .npy is a NumPy array "
    "with named fields, .parquet is Parquet; with any other ending, blanks separate the fields (tabs if an "
    "id contains a blank)";

} // namespace weft::tool
