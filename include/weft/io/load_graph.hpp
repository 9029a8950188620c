/// Graphs from files, for several algorithms.
#pragma once

#include <weft/graph/graph.hpp>
#include <weft/io/read_graph.hpp>

#include <string>

namespace weft {

/// Reads a graph that keeps each form that algorithms need. A file of `write_built_graph` has the neighbours
/// of each vertex, so nothing is sorted or sent: each rank reads its vertices when an algorithm needs them,
/// from the file as it was when it was opened. Other files are read as by `read_graph`. Weights are used if
/// `options.weights` is true and the file has weights.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: for a file of `write_built_graph`
/// the time to read the names of vertices, and O(edges / P) at the first use of each form; otherwise as
/// `read_graph` and `graph`. Throws: as these two; the first use of a form also throws `io_error`, on all
/// ranks.
[[nodiscard]] graph load_graph(
    communicator const& comm, std::string const& file, read_options const& options = {});

} // namespace weft
