/// Graphs from files, ready for questions.
#pragma once

#include <weft/graph/graph.hpp>
#include <weft/io/read_graph.hpp>

#include <string>

namespace weft {

/// Reads a graph that keeps what algorithms need. A file of `write_built_graph` holds the rows of vertices:
/// nothing is sorted or sent, each rank reads its own rows when a question needs them, from the file as it
/// was when it was opened. Of other files, edges are read as by `read_graph`. Weights are used if
/// `options.weights` is true and the file has some.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: of a built graph its names, and
/// later O(edges / P) for each form; else that of `read_graph` and `graph`. Throws: as `read_graph` and
/// `graph`; the forms of a built graph also throw `io_error`, the same on all ranks.
[[nodiscard]] graph load_graph(
    communicator const& comm, std::string const& file, read_options const& options = {});

} // namespace weft
