/// Graphs into files.
#pragma once

#include <weft/graph/edge_list.hpp>

#include <string>

namespace weft {

class communicator;

/// Writes a graph whose edges are distributed over the ranks, in the order of ranks. The suffix selects the
/// format: MatrixMarket for `.mtx` or `.mm`; an edge list with the labels of vertices for `.txt`, `.edges`,
/// `.el`, `.tsv` or `.snap`; CSV with a header for `.csv`; Weft's binary form, which is read many times
/// faster than text and keeps all members of `edge_list`, for `.wgraph`. On standard output ("-") and devices
/// an edge list is written. Labels with blanks can be written to, and read back from, `.tsv`, `.csv` and
/// `.wgraph` files. Weights are written if the graph has them. An undirected graph becomes a symmetric
/// matrix, in which an edge that is listed from both ends is one entry. All ranks write at the same time into
/// a temporary file beside `file`, which must be visible to all ranks. The temporary file is renamed to
/// `file` when it is complete, and removed if it cannot be completed.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have written. Cost: the text is made twice, the
/// first time to find its size; O(1) collectives; 1 MiB of memory on each rank. The binary form takes two
/// passes over the edges; text labels are numbered as `vertex_set` does. Order: the file has the edges in the
/// order of (rank, place in `edges`). Throws: `usage_error` for an unknown suffix, a compressed binary form,
/// a matrix of a graph whose vertices are not declared, labels that an edge list cannot have (with blanks, or
/// like comments), and if only some ranks have weights; `io_error`, the same on all ranks, if the file cannot
/// be written.
void write_graph(communicator const& comm, edge_list const& graph, std::string const& file);

/// Writes a graph into a `.wgraph` file in the form that `load_graph` and all commands of `weft` read
/// fastest: the neighbours of each vertex in ascending order, for directed graphs in both directions. Loops,
/// equal edges and weights are kept, but the order of edges is not kept. Rectangular, skew-symmetric and
/// Hermitian matrices, graphs with weights that are NaN, and weighted graphs that list each edge from both
/// ends are written as `write_graph` does.
///
/// Collective: yes, over `comm`; the file does not depend on the number of ranks, except for the order of
/// loops and equal edges. Blocks: until all ranks have written. Cost: O(edges / P), that of `vertex_set`, one
/// exchange of the edges per direction. Throws: `usage_error` for a file name that does not end in `.wgraph`,
/// 2^32 - 1 vertices or more, an invalid endpoint, or weights that only some ranks have; `io_error`, the same
/// on all ranks, if the file cannot be written.
void write_built_graph(communicator const& comm, edge_list graph, std::string const& file);

} // namespace weft
