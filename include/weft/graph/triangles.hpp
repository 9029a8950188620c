/// Triangles.
#pragma once

#include <weft/graph/simple_graph.hpp>

#include <array>
#include <cstdint>
#include <functional>

namespace weft {

/// Counts the triangles of a graph: sets of three vertices with an edge between any two. Every edge becomes
/// an arc from the endpoint of lower degree to the other endpoint (from the smaller vertex if degrees are
/// equal). A triangle of the graph is now a vertex u with arcs to v and w, and an arc from v to w. The list
/// of targets of u is sent to each rank that owns a target. If no vertex has more than 8 stored edges, as in
/// a road network, no arcs are made, and triangles are counted with the stored edges.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: let d be the number of targets of a vertex, at
/// most sqrt(2 edges). O(sum of d^2) work; two phases of a mailbox with 16 bytes per edge, and one phase with
/// at most 8 min(d, P) d bytes per vertex; memory O(edges / P). If triangles are counted with the stored
/// edges, one phase and no memory. Order: the answer does not depend on the number of ranks. Throws:
/// `mpi_error`. Source: Priest, Steil, Sanders, Pearce, YGM, 2019, for the mailbox; degree order: Chiba,
/// Nishizeki, 1985.
[[nodiscard]] std::int64_t count_triangles(simple_graph const& graph);

/// A function that takes the vertices of a triangle, ascending.
using triangle_visitor = std::function<void(std::array<global_id, 3> const& vertices)>;

/// Counts the triangles of a graph as `count_triangles` does and calls `visit` once for each triangle, on a
/// rank that owns a vertex of the triangle: the vertex of middle degree, or any vertex if no vertex of the
/// graph has more than 8 stored edges.
///
/// Collective: yes; `visit` may differ between ranks and must make no collective calls. Blocks: until all
/// ranks have called. Cost: as `count_triangles`, and the calls of `visit`. Order: the set of triangles over
/// all ranks does not depend on the number of ranks; the order of triangles, and the rank that finds a
/// triangle, do. Throws: errors of `visit`, on all ranks, after the last triangle that a rank finds;
/// `usage_error` if a rank passes no function; `mpi_error`.
std::int64_t for_each_triangle(simple_graph const& graph, triangle_visitor const& visit);

} // namespace weft
