/// True if a file has as many entries as it declares.
#pragma once

#include "graph_header.hpp"

#include <cstdint>
#include <filesystem>

namespace weft::io {

/// For MatrixMarket and DIMACS, whose lines are entries. Local. Throws: `io_error` where all ranks together
/// have `seen` another number of entries than the header declares.
void check_entry_count(std::filesystem::path const& file, graph_header const& header, std::int64_t seen);

} // namespace weft::io
