/// The formats of graph files, a row each, and the format of a file by its name.
#pragma once

#include <weft/io/read_graph.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::io {

struct graph_format_row {
    graph_format format;
    std::string_view word; ///< for the option `format`
    std::string_view name;
    std::vector<std::string_view> suffixes; ///< in small letters
    bool written = false;
};

[[nodiscard]] std::span<graph_format_row const> graph_formats();

/// Lists the formats with their suffixes: "MatrixMarket (.mtx, .mm), METIS (...)".
[[nodiscard]] std::string list_of_graph_formats();

/// The format that the suffix stands for, `automatic` for one that is unknown. `packed` looks through a
/// suffix of a packer.
[[nodiscard]] graph_format format_of_suffix(std::filesystem::path const& file, bool packed);

/// The ending of the name of a file of text, in small letters and without that of its packing.
[[nodiscard]] std::string suffix_of_text(std::filesystem::path const& file);

/// True for names that end in .tsv, packed or not: labels there may have blanks.
[[nodiscard]] bool has_fields_between_tabs(std::filesystem::path const& file);

} // namespace weft::io
