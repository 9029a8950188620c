/// Strongly connected components.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Options of `find_strong_components`, equal on all ranks.
struct strong_components_options {
    std::uint64_t seed = 1; ///< Seed of the priorities of colours; the labels do not depend on the seed.
};

/// The strongly connected components of a graph. Scalars are equal on all ranks.
struct strong_component_labels {
    /// For every vertex of this rank the smallest vertex of its component.
    std::vector<global_id> label;
    std::int64_t components = 0;       ///< The number of components.
    std::int64_t trivial = 0;          ///< The number of components with only one vertex.
    std::vector<std::int64_t> largest; ///< the sizes of the ten largest components, descending
    /// The number of vertices that were found to be components of their own because no arc leaves or enters
    /// them.
    std::int64_t trimmed = 0;
    int colourings = 0; ///< The number of rounds of colouring.
};

/// Finds the strongly connected components: two vertices are in one component if each reaches the other along
/// arcs.
///
/// The method has three steps. Trimming: a vertex that no arc enters, or that no arc leaves, is a component
/// of its own; when it is removed, other vertices may lose their last entering or leaving arc. Search: a
/// forward and a backward search begin at a pivot, the vertex with the largest product of degrees. The
/// vertices that both searches reach are the component of the pivot, in most graphs the giant component.
/// Colouring: every remaining vertex takes the colour of the vertex of greatest random priority among the
/// vertices that reach it. A vertex that keeps its own colour is a root; the component of a root has the
/// vertices of the root's colour that a backward search from the root reaches. Every root gives one
/// component, so colouring is repeated, with trimming in between, until no vertex is left. A rank searches as
/// far as it can before ranks communicate, so a path takes a round only for each of its arcs between ranks.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: one exchange of the arcs to reverse them. A
/// search, a trimming or a colouring takes an exchange each time that its longest path enters another rank,
/// and O(arcs / P) work per rank, more if colours are replaced several times. Memory: twice the memory of the
/// graph. Order: the result does not depend on the number of ranks. Throws: `usage_error` (a rank has 2^32 or
/// more vertices and ghosts together), `mpi_error`. Source: Fleischer, Hendrickson, Pinar, On identifying
/// strongly connected components in parallel, 2000; trimming, McLendon and others, 2005; colouring, Orzan,
/// 2004; their order, Slota, Rajamanickam, Madduri, BFS and coloring-based parallel algorithms for strongly
/// connected components, IPDPS 2014.
[[nodiscard]] strong_component_labels find_strong_components(
    arc_graph const& graph, strong_components_options const& options = {});

} // namespace weft
