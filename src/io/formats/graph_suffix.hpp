/// The format of a file, by its name.
#pragma once

#include <weft/io/read_graph.hpp>

#include <filesystem>

namespace weft::io {

/// The format that the suffix stands for, `automatic` for one that is unknown. `packed` looks through a
/// suffix of a packer.
[[nodiscard]] graph_format format_of_suffix(std::filesystem::path const& file, bool packed);

} // namespace weft::io
