/// Components of the graph that remains after each rank has joined its own edges. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// A graph whose vertices are some of the vertices of another graph. Each of them represents a connected
/// part of that graph.
struct contracted_graph {
    uniform_distribution const* owners; ///< the owner of each vertex
    std::vector<global_id> vertices;    ///< of this rank that have an edge, ascending
    std::vector<global_id> smallest;    ///< the smallest vertex of the part that each represents
    std::vector<edge> edges;            ///< from a vertex of this rank to any, in both directions, distinct
};

/// Fills in `vertices` from the edges. Local.
void list_sources(contracted_graph& graph);

/// Brings edges that are known on one side only into the form of `contracted_graph::edges`: loops and
/// duplicates dropped, both directions, sorted. Collective: yes, within a gate; one exchange. Throws: what
/// the gate has kept, agreed. If memory for the result is missing, the gate keeps that failure.
std::vector<edge> with_both_directions(
    gate& call, uniform_distribution const& owners, std::vector<edge> const& edges);

/// Pointer jumping: afterwards every parent is the root of its tree. `vertices` are ascending vertices of
/// this rank; `parent` has an entry for each of them. Collective: yes, within a gate; two exchanges and a
/// small all-reduce for each jump. Throws: what the gate has kept, agreed.
void flatten(gate& call, uniform_distribution const& owners, std::vector<global_id> const& vertices,
    std::vector<global_id>& parent);

/// Returns for each vertex of this rank the least `smallest` of its component. `rounds` counts
/// contractions. Collective, Throws: as `with_both_directions`.
std::vector<global_id> solve(
    gate& call, contracted_graph graph, components_options const& options, int& rounds);

} // namespace weft
