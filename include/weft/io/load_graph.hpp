/// Reads graphs from files, for several algorithms.
#pragma once

#include <weft/graph/graph.hpp>
#include <weft/io/read_graph.hpp>

#include <string>

namespace weft {

/// Reads a `graph`, which keeps each form that algorithms need. A file of `write_built_graph` has the
/// neighbours of each vertex, so no edges are sorted or sent: each rank reads its vertices when an algorithm
/// needs them. If the file is replaced after `load_graph` has returned, algorithms still read the file that
/// `load_graph` opened. Other files are read as by `read_graph`. Weights are used if `options.weights` is
/// true and the file has weights.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: for a file of `write_built_graph`
/// the time to read the names of vertices, and O(edges / P) at the first use of each form; for other files
/// the cost of `read_graph` and `graph`. Throws: as `read_graph` and `graph`; the first use of a form also
/// throws `io_error`, on all ranks.
[[nodiscard]] graph load_graph(
    communicator const& comm, std::string const& file, read_options const& options = {});

} // namespace weft
