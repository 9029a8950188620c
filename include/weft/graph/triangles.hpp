/// Triangles.
#pragma once

#include <weft/graph/simple_graph.hpp>

#include <array>
#include <cstdint>
#include <functional>

namespace weft {

/// Counts the triangles of a graph: sets of three vertices with an edge between any two. Every edge becomes
/// an arc from the endpoint of lower degree to the other (ties by vertex); then a triangle is a vertex u with
/// arcs to v and w, and an arc from v to w. The list of targets of u is sent to each rank that owns one of
/// them. If no vertex has more than 8 stored edges, as in a road network, no arcs are made: the method works
/// on the stored edges.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: let d be the number of targets of a vertex, at
/// most sqrt(2 edges). O(sum of d^2) work; two phases of a mailbox with 16 bytes per edge, and one with at
/// most 8 min(d, P) d bytes per vertex; memory O(edges / P). With stored edges, one phase and no memory.
/// Order: the answer does not depend on the number of ranks. Throws: `mpi_error`. Source: Priest, Steil,
/// Sanders, Pearce, YGM, 2019, for the mailbox; degree order: Chiba, Nishizeki, 1985.
[[nodiscard]] std::int64_t count_triangles(simple_graph const& graph);

/// A function that takes the vertices of a triangle, ascending.
using triangle_visitor = std::function<void(std::array<global_id, 3> const& vertices)>;

/// Counts the triangles of a graph as `count_triangles` does and calls `visit` once for each triangle, on the
/// rank that owns its vertex of middle degree; with stored edges, on a rank that owns one of its vertices.
///
/// Collective: yes; `visit` may differ between ranks and must make no collective calls. Blocks: until all
/// ranks have called. Cost: as `count_triangles`, and the calls. Order: the set of triangles over all ranks
/// does not depend on the number of ranks; their order and their ranks do. Throws: errors of `visit`, on all
/// ranks, after the last triangle that a rank finds; `usage_error` if a rank passes no function; `mpi_error`.
std::int64_t for_each_triangle(simple_graph const& graph, triangle_visitor const& visit);

} // namespace weft
