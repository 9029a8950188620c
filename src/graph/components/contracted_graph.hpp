/// Components of the graph that is left when every rank has joined what it can. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// A graph whose vertices are some of the vertices of another, each standing for a connected part of that.
struct contracted_graph {
    uniform_distribution const* owners; ///< who owns which vertex
    std::vector<global_id> vertices;    ///< of this rank, ascending: all that have an edge
    std::vector<global_id> smallest;    ///< for each, the smallest vertex of the part it stands for
    std::vector<edge> edges;            ///< from a vertex of this rank to any, in both directions, distinct
};

/// Makes `vertices` of the edges. Local.
void list_sources(contracted_graph& graph);

/// Brings edges that are known on one side only into the form of `contracted_graph::edges`: loops and
/// duplicates dropped, both directions, sorted. Collective: yes, within a gate; one exchange. Throws: what
/// the gate has kept, agreed. Where there is no memory for the edges in the end, the gate keeps that.
std::vector<edge> with_both_directions(
    gate& call, uniform_distribution const& owners, std::vector<edge> const& edges);

/// Pointer jumping: afterwards every parent is the root of its tree. `vertices` are ascending, and each of
/// them is on its owner; `parent` has one for each. Collective: yes, within a gate; two exchanges and a small
/// all-reduce for each jump. Throws: what the gate has kept, agreed.
void flatten(gate& call, uniform_distribution const& owners, std::vector<global_id> const& vertices,
    std::vector<global_id>& parent);

/// For each vertex of this rank the smallest `smallest` in its component. `rounds` counts contractions.
/// Collective, Throws: as `with_both_directions`.
std::vector<global_id> solve(
    gate& call, contracted_graph graph, components_options const& options, int& rounds);

} // namespace weft
