/// The format of a file, by its name.
#pragma once

#include <weft/io/read_graph.hpp>

#include <filesystem>
#include <string>

namespace weft::io {

/// The format that the suffix stands for, `automatic` for one that is unknown. `packed` looks through a
/// suffix of a packer.
[[nodiscard]] graph_format format_of_suffix(std::filesystem::path const& file, bool packed);

/// The ending of the name of a file of text, in small letters and without that of its packing.
[[nodiscard]] std::string suffix_of_text(std::filesystem::path const& file);

/// True for names that end in .tsv, packed or not: labels there may have blanks.
[[nodiscard]] bool has_fields_between_tabs(std::filesystem::path const& file);

} // namespace weft::io
