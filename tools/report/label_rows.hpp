/// Rows of labels and values, written so that labels can be read back.
#pragma once

#include <weft/graph/vertex_set.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

namespace weft::tool {

/// The lines of a file whose fields may be labels of vertices: CSV where its name ends in .csv, fields
/// between tabs where it ends in .tsv or a label has a blank, and fields between blanks elsewhere. Names of
/// packed files count without .gz, .bz2, .xz or .zst.
class label_rows {
public:
    /// Collective: the style is the same on all ranks.
    label_rows(vertex_set const& vertices, std::string const& file);

    /// Appends a line. Local.
    void append(std::string& text, std::initializer_list<std::string_view> fields) const;

private:
    char separator_ = ' ';
};

/// The sentence of a help that says how such files look.
inline constexpr char const* label_rows_help =
    "; CSV in a file that ends in .csv, tabs between them in .tsv or where ids have blanks";

} // namespace weft::tool
