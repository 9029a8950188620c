/// Connected components.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

struct components_options {
    /// A contracted graph with at most this many edges is finished on rank 0; larger ones take further rounds
    /// of hooking. The same on all ranks.
    std::int64_t gather_below = std::int64_t{1} << 17;
    /// Of the priorities by which vertices hook; the labels do not depend on it. The same on all ranks.
    std::uint64_t seed = 1;
};

/// The components of a graph. Scalars are equal on all ranks.
struct component_labels {
    /// For every vertex of this rank the smallest vertex of its component.
    std::vector<global_id> label;
    std::int64_t components = 0;
    std::int64_t isolated = 0;         ///< components of one vertex
    std::vector<std::int64_t> largest; ///< the sizes of the largest ten, descending
    int contractions = 0;              ///< rounds of hooking that were needed, beside the local one
};

/// Finds connected components by contraction.
///
/// Each rank first joins what its own edges join (union-find with path halving; the far ends of edges take
/// part as ghosts), so that of every local component one vertex remains, and of all edges to a ghost one.
/// What remains is contracted in rounds: every vertex hooks onto its neighbour of least random priority, if
/// less than its own, pointer jumping flattens the trees, and the edges between different trees are the next
/// graph. A round leaves at most half of the vertices in expectation; in practice, meshes, road networks and
/// social graphs are small enough for one rank after the local contraction, and need none.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: O(edges / P) local work; of messages, at most one
/// per rank pair in each of O(log n) expected rounds with O(log log n) expected jumps; traffic O(ghosts) in
/// the first. Memory O(edges / P), and `gather_below` edges on rank 0.
/// Order: the result does not depend on the number of ranks. Throws: `mpi_error`.
/// Source: union-find with link by index, Tarjan, van Leeuwen 1984; hooking and pointer jumping, Shiloach,
/// Vishkin 1982, with random priorities in place of stagnation tests.
[[nodiscard]] component_labels find_components(
    simple_graph const& graph, components_options const& options = {});

} // namespace weft
