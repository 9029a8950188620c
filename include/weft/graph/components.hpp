/// Connected components.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The algorithm that finds components. The labels do not depend on the algorithm.
enum class components_method : std::uint8_t {
    contraction, ///< Rounds of exchanges, see `find_components`.
    union_find,  ///< Union-find by messages of a mailbox: each component is one tree, which may span ranks.
    propagation  ///< Label propagation by messages of a mailbox, until no label becomes smaller.
};

/// Options of `find_components`, equal on all ranks.
struct components_options {
    /// The algorithm.
    components_method method = components_method::contraction;
    /// A contracted graph with at most this number of edges is finished on rank 0; a larger graph takes
    /// further rounds of contraction. Equal on all ranks.
    std::int64_t gather_below = std::int64_t{1} << 17;
    /// The seed of the random priorities of vertices; the labels do not depend on the seed.
    std::uint64_t seed = 1;
    /// In label propagation, all ranks have copies of vertices with more neighbours than this number; 0 means
    /// 256, or 8 times the number of ranks if that is more. The labels do not depend on the threshold. Equal
    /// on all ranks.
    std::int64_t delegate_threshold = 0;
};

/// The components of a graph. Scalars are equal on all ranks.
struct component_labels {
    /// For every vertex of this rank the smallest vertex of its component.
    std::vector<global_id> label;
    std::int64_t components = 0;       ///< The number of components.
    std::int64_t isolated = 0;         ///< The number of components with only one vertex.
    std::vector<std::int64_t> largest; ///< the sizes of the ten largest components, descending
    /// The label of the largest component; the smallest label if several components are largest; -1 for a
    /// graph without vertices.
    global_id largest_label = -1;
    int contractions = 0;       ///< The number of rounds after each rank has contracted its own edges.
    std::int64_t delegates = 0; ///< The number of vertices of which all ranks had copies.
};

/// Finds connected components.
///
/// Contraction: each rank first joins the ends of its own edges (union-find with path halving; ends on other
/// ranks take part as ghosts). One vertex of every local component remains; of all edges from the component
/// to the same ghost, one edge remains. The remaining graph is contracted in rounds. In a round every vertex
/// becomes a child of the neighbour with the least random priority, if this priority is less than the
/// vertex's own. At the end of a round pointer jumping flattens the trees, and the edges between different
/// trees are the graph of the next round. A round at least halves the expected number of vertices. In
/// practice, meshes, road networks and social graphs are small enough for one rank after the local
/// contraction, and need no rounds.
///
/// Union-find: each rank also joins the ends of its own edges first, and then sends one message for each
/// ghost, to unite two vertices. The owner of the larger vertex climbs from it to an ancestor that has no
/// parent on this rank. If this ancestor is a root, it is linked below the other vertex; otherwise the owner
/// of the ancestor's parent gets the message. A parent is always a smaller vertex than its children. At the
/// end each rank asks, once for each parent on another rank, for the root of that parent.
///
/// Propagation: the label of every vertex is at first its own id; a vertex whose label becomes smaller sends
/// the new label to its neighbours. Vertices with many neighbours are delegates: all ranks have the labels of
/// delegates, and each edge of a delegate is on the rank of the edge's other end. When the label of a
/// delegate becomes smaller, the label is broadcast. The work grows with the diameter, so label propagation
/// suits graphs of small diameter.
///
/// Collective: yes, with the same options on all ranks. Blocks: until all ranks are done. Cost: O(edges / P)
/// local work. Contraction: O(log n) expected rounds with O(log log n) expected jumps, each with at most one
/// message for each pair of ranks; traffic O(ghosts) in the first round. Union-find: two phases of a mailbox
/// with O(ghosts) messages in practice. Memory O(edges / P), and `gather_below` edges on rank 0. Order: the
/// result does not depend on the number of ranks. Throws: `usage_error` (2^32 or more vertices and ghosts
/// together on a rank; a negative threshold), `mpi_error`. Source: union-find with link by index, Tarjan, van
/// Leeuwen 1984; hooking and pointer jumping, Shiloach, Vishkin 1982, with random priorities in place of
/// stagnation tests; delegates, Priest, Steil, Sanders, Pearce, YGM, 2019, section V.B; linking by splices,
/// Rem, in Dijkstra 1976.
[[nodiscard]] component_labels find_components(
    simple_graph const& graph, components_options const& options = {});

} // namespace weft
