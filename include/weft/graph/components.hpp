/// Connected components.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The algorithm that finds components. The labels do not depend on it.
enum class components_method : std::uint8_t {
    contraction, ///< Rounds of exchanges, see `find_components`.
    union_find,  ///< Messages of a mailbox unite and compress: one tree of parents over all ranks.
    propagation  ///< Messages of a mailbox carry labels to neighbours until none falls.
};

/// Options of `find_components`, equal on all ranks.
struct components_options {
    /// The algorithm.
    components_method method = components_method::contraction;
    /// A contracted graph with at most this many edges is finished on rank 0; larger ones take further rounds
    /// of hooking. Equal on all ranks.
    std::int64_t gather_below = std::int64_t{1} << 17;
    /// The seed of the priorities by which vertices hook; the labels do not depend on it.
    std::uint64_t seed = 1;
    /// Propagation replicates vertices with more neighbours than this on all ranks; 0 means 256, or 8 for
    /// each rank if that is more. The labels do not depend on it. Equal on all ranks.
    std::int64_t delegate_threshold = 0;
};

/// The components of a graph. Scalars are equal on all ranks.
struct component_labels {
    /// For every vertex of this rank the smallest vertex of its component.
    std::vector<global_id> label;
    std::int64_t components = 0;       ///< The number of components.
    std::int64_t isolated = 0;         ///< components of one vertex
    std::vector<std::int64_t> largest; ///< the sizes of the largest ten, descending
    global_id largest_label = -1;      ///< the least label of a largest component; -1 without vertices
    int contractions = 0;              ///< rounds of hooking after the local one
    std::int64_t delegates = 0;        ///< vertices that propagation replicated
};

/// Finds connected components.
///
/// By contraction, each rank first joins what its own edges join (union-find with path halving; the far ends
/// of edges take part as ghosts), so that of every local component one vertex remains, and of all edges to a
/// ghost one. The rest is contracted in rounds: every vertex hooks onto its neighbour of least random
/// priority, if less than its own, pointer jumping flattens the trees, and the edges between different trees
/// are the next graph. A round leaves at most half of the vertices in expectation; in practice, meshes, road
/// networks and social graphs are small enough for one rank after the local contraction, and need none.
///
/// By union-find, each rank joins what its own edges join too, and for each ghost sends one message: unite
/// this vertex with that. The owner of the larger one climbs to an ancestor that has no parent on this
/// rank, links it below the other if it is a root, and else sends on what is left to unite; a parent is
/// always a smaller vertex. At the end each rank asks once for each vertex of another rank that is a parent
/// here.
///
/// By propagation, every vertex begins with its own id and sends a label that falls to its neighbours.
/// Vertices of many neighbours are delegates: their labels are on all ranks, their edges with the other
/// endpoint, and a label of theirs that falls is broadcast. It suits graphs of small diameter, with which its
/// work grows.
///
/// Collective: yes, with the same options on all ranks. Blocks: until all ranks are done. Cost: O(edges / P)
/// local work; of messages, at most one per rank pair in each of O(log n) expected rounds with O(log log n)
/// expected jumps; traffic O(ghosts) in the first. Union-find: two phases of a mailbox with O(ghosts)
/// messages in practice. Memory O(edges / P), and `gather_below` edges on rank 0. Order: the result does not
/// depend on the number of ranks. Throws: `usage_error` (a rank holds 2^32 vertices and ghosts; a negative
/// threshold), `mpi_error`. Source: union-find with link by index, Tarjan, van Leeuwen 1984; hooking and
/// pointer jumping, Shiloach, Vishkin 1982, with random priorities in place of stagnation tests; delegates,
/// Priest, Steil, Sanders, Pearce, YGM, 2019, section V.B; linking by splices, Rem, in Dijkstra 1976.
[[nodiscard]] component_labels find_components(
    simple_graph const& graph, components_options const& options = {});

} // namespace weft
