/// Strongly connected components.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Options of `find_strong_components`, equal on all ranks.
struct strong_components_options {
    std::uint64_t seed = 1; ///< Seed of the priorities of colours; the labels do not depend on it.
};

/// The strongly connected components of a graph. Scalars are equal on all ranks.
struct strong_component_labels {
    /// For every vertex of this rank the smallest vertex of its component.
    std::vector<global_id> label;
    std::int64_t components = 0;       ///< The number of components.
    std::int64_t trivial = 0;          ///< components of one vertex
    std::vector<std::int64_t> largest; ///< the sizes of the largest ten, descending
    std::int64_t trimmed = 0;          ///< vertices that were alone because no arc led on, or none came in
    int colourings = 0;                ///< rounds of colouring that were needed
};

/// Finds the strongly connected components: vertices are together where each reaches the other along arcs.
///
/// Three steps. Trimming: a vertex that no arc enters, or none leaves, is a component of its own; its removal
/// may leave further such vertices. Forward and backward search from one pivot, the vertex with the largest
/// product of degrees: what both searches reach is the component of the pivot, in most graphs the giant one.
/// Colouring: every vertex that is left takes the colour of greatest random priority among the vertices that
/// reach it; a vertex that keeps its own colour is a root, and its component is what a backward search from
/// it reaches within its colour. Every root settles one component, so colouring is repeated, with trimming in
/// between, until no vertex is left. Searches run to their end on a rank before ranks talk, so rounds count
/// crossings between ranks rather than arcs.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: one exchange of the arcs to reverse them; then a
/// search, a trim or a colouring takes as many exchanges as the longest path of its kind crosses ranks, and
/// O(arcs / P) work per rank, more where a colour is overtaken. Memory: twice that of the graph. Order: the
/// result does not depend on the number of ranks. Throws: `usage_error` (a rank holds 2^32 vertices and
/// ghosts), `mpi_error`. Source: Fleischer, Hendrickson, Pinar, On identifying strongly connected components
/// in parallel, 2000; trimming, McLendon and others, 2005; colouring, Orzan, 2004; their order, Slota,
/// Rajamanickam, Madduri, BFS and coloring-based parallel algorithms for strongly connected components, IPDPS
/// 2014.
[[nodiscard]] strong_component_labels find_strong_components(
    arc_graph const& graph, strong_components_options const& options = {});

} // namespace weft
