/// Triangles of a graph whose vertices store few edges each, such as a map of roads. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/simple_graph.hpp>
#include <weft/graph/triangles.hpp>

#include <cstdint>

namespace weft {

/// Counts triangles. If there is a visitor, it visits each triangle on a rank that owns one of its
/// vertices. Edges are arcs from the vertex that stores them: with short lists, an order of the vertices by
/// degree would cost more than it saves. Collective: yes, within a gate. Cost: O(d^2) for each vertex that
/// stores d edges; where the third edge may be stored on another rank, a message of 24 bytes. Throws:
/// errors of the visitor, agreed.
[[nodiscard]] std::int64_t find_triangles_as_stored(
    gate& call, simple_graph const& graph, triangle_visitor const* visit);

} // namespace weft
