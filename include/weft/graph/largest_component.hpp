/// The largest connected component of a graph, as a separate graph.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/graph/edge_list.hpp>

namespace weft {

/// Keeps the edges in the largest connected component of a graph; directions of edges are ignored. If several
/// components are largest, the component with the smallest vertex is kept. Edges stay on their ranks in their
/// order, with their weights, directions, loops and duplicates. Vertices keep the names that they have in the
/// input. The naming `declared` becomes `numbers`, which `write_graph` writes in every format except a
/// matrix. If the largest component has only one vertex, only the loops of this vertex remain.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: as `vertex_set`, `simple_graph`
/// and `find_components`, with a copy of the edges, and two exchanges of the vertices at which edges begin.
/// Throws: `usage_error` as `simple_graph`, and if a rank has fewer weights than edges; `mpi_error`.
[[nodiscard]] edge_list keep_largest_component(communicator comm, edge_list edges);

} // namespace weft
