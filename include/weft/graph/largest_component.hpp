/// The largest component as a graph of its own.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/graph/edge_list.hpp>

namespace weft {

/// Keeps those edges of a graph that lie in its largest connected component, directions ignored; of several
/// components of that size the one with the least vertex. Edges stay on their ranks in their order, with
/// their weights, directions, loops and duplicates. Vertices keep the names that they have in the input: if
/// that is `declared`, it becomes `numbers`, which `write_graph` writes in every format except a matrix. A
/// component of one vertex is left with its loops alone.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: as `vertex_set`, `simple_graph`
/// and `find_components`, with a copy of the edges, and two exchanges of the vertices at which edges begin.
/// Throws: `usage_error` as `simple_graph`, and where a rank has fewer weights than edges; `mpi_error`.
[[nodiscard]] edge_list keep_largest_component(communicator comm, edge_list edges);

} // namespace weft
