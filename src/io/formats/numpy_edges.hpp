/// Edges from a NumPy array.
#pragma once

#include "io/text/line_parser.hpp"

#include <weft/core/communicator.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>

namespace weft::io {

/// Reads an array of shape (edges, 2), or (edges, 3) with weights in the last column, of integers or of
/// floating point that is integral; labels are numbers. Every rank reads its rows. Collective: yes. Throws:
/// `io_error`, the same on all ranks, "FILE[row, column]: ..." for the first bad item, counted from 0.
[[nodiscard]] edge_list read_numpy_edges(communicator const& comm, std::filesystem::path const& file,
    weight_use weights, std::function<void(std::int64_t done, std::int64_t total)> const& progress);

} // namespace weft::io
