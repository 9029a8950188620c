/// Graphs into files.
#pragma once

#include <weft/graph/edge_list.hpp>

#include <string>

namespace weft {

class communicator;

/// Writes a graph, of which each rank holds a part, in the order of ranks and in the format of the suffix:
/// `.mtx` or `.mm` MatrixMarket, `.txt`, `.edges`, `.el`, `.tsv` or `.snap` an edge list with the labels by
/// which the graph calls its vertices, `.csv` CSV below a header, `.wgraph` Weft's binary form, which is read
/// many times faster and keeps all members of the list; "-", standard output, and devices an edge list.
/// Labels with blanks can be read back from `.tsv` and `.csv`. Weights are written where the graph has them.
/// An undirected graph becomes a symmetric matrix, an edge listed from both ends one entry. The ranks write
/// their byte ranges at once into a file beside `file`, which must be visible to all of them; it takes the
/// name of `file` when it is complete, and is removed when it cannot be completed.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have written.
/// Cost: the text is made twice, to know its size first; O(1) collectives; 1 MiB of memory. Of the binary
/// form two passes over the edges; labels that are text are numbered as `vertex_set` does. Order: the file
/// has the edges in the order of (rank, place in `edges`). Throws: `usage_error` for an unknown suffix, a
/// packed binary form, for a matrix of a graph whose vertices are not declared, for labels that an edge list
/// cannot have (with blanks, or like comments), where a rank has edges without the weights that others have;
/// `io_error`, the same on all ranks, where the file cannot be written.
void write_graph(communicator const& comm, edge_list const& graph, std::string const& file);

} // namespace weft
