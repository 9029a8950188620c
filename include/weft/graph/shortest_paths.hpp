/// Shortest paths along weighted arcs.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Options of `find_shortest_paths`, equal on all ranks.
struct shortest_paths_options {
    /// The width of the buckets that the ranks empty together, above 0; the distances do not depend on it.
    /// Default, or 0: the library chooses, see `find_shortest_paths`.
    double delta = 0;
};

/// The distances from one vertex, as sums of weights. Everything but `distance` is equal on all ranks.
struct path_lengths {
    std::vector<double> distance; ///< of every vertex of this rank; infinite where it was not reached
    std::int64_t reached = 0;     ///< the number of vertices, the source among them
    double longest = 0;           ///< the largest finite distance
    double sum_of_distances = 0;  ///< of the vertices that are reached; added up in integers
    double delta = 0;             ///< the width of the buckets; of this rank if the library chose it
    std::int64_t buckets = 0;     ///< the number of buckets that the ranks emptied together
    std::int64_t exchanges = 0;   ///< the number of exchanges
};

/// Finds the lengths of the shortest paths from `source`, along arcs with the weights of the graph, or of 1
/// each where it has none.
///
/// The method is delta-stepping with buckets of two widths. Vertices lie in buckets by the distance known so
/// far. The ranks empty the first bucket of width delta together: each follows the arcs of its vertices in
/// narrow buckets of its own, a quarter of the mean weight divided by the mean degree wide; distances of
/// vertices of other ranks are exchanged, each at most once per round, until the bucket stays empty. If delta
/// is not given, it is the width of the narrow buckets with some thousand arcs per rank, so that a round is
/// worth its messages. A delta below a thousandth of the narrow width becomes that.
///
/// Collective: yes, with the same source and options on all ranks. Blocks: until all ranks are done. Cost:
/// O(arcs / P) work per rank where each vertex is settled once; an exchange for each time that the paths of a
/// bucket cross ranks, and one and a small all-reduce per bucket. Memory: 24 bytes per vertex of the rank and
/// 9 a ghost beside the graph. Order: a path is added up from the source on, rounding at each arc, and the
/// least sum of all paths is the result, as in Dijkstra's algorithm: rounding is monotone, so it is the same
/// to the last bit in any order of relaxations and at any number of ranks. A sum beyond the largest double is
/// infinite: not reached. Throws: `usage_error` for an invalid source, a weight that is negative, infinite or
/// NaN, a delta that is; `mpi_error`. Source: Meyer, Sanders, Delta-stepping: a parallelizable shortest path
/// algorithm, Journal of Algorithms, 2003.
[[nodiscard]] path_lengths find_shortest_paths(
    arc_graph const& graph, global_id source, shortest_paths_options const& options = {});

} // namespace weft
