/// Shortest paths along weighted arcs.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Options of `find_shortest_paths`, equal on all ranks.
struct shortest_paths_options {
    /// The width of the buckets that the ranks empty together. The distances do not depend on the width. With
    /// 0, the default, the library chooses the width, see `find_shortest_paths`.
    double delta = 0;
};

/// The distances from one vertex, as sums of weights. Everything but `distance` is equal on all ranks.
struct path_lengths {
    std::vector<double> distance; ///< The distance of every vertex of this rank; infinite if not reached.
    std::int64_t reached = 0;     ///< The number of reached vertices, including the source.
    double longest = 0;           ///< the largest finite distance
    double sum_of_distances = 0;  ///< The sum of all finite distances, added up in integers.
    double delta = 0;             ///< The width of the buckets; this rank's width if the library chose it.
    std::int64_t buckets = 0;     ///< the number of buckets that the ranks emptied together
    std::int64_t exchanges = 0;   ///< the number of exchanges
};

/// Finds the lengths of the shortest paths from `source`. The length of an arc is its weight, or 1 in a graph
/// without weights.
///
/// The method is delta-stepping with buckets of two widths. A vertex is in the bucket of the least distance
/// that is known for it. The ranks empty the first bucket of width delta together, in rounds. In a round each
/// rank first follows the arcs of its vertices in narrow buckets of its own; the width of a narrow bucket is
/// a quarter of the mean weight, divided by the mean degree. At the end of a round the ranks exchange the new
/// distances of vertices of other ranks. The rounds end when the bucket stays empty. If delta is not given,
/// the library chooses a width at which a rank has some thousand arcs in a bucket, so that a round is worth
/// its messages. A delta below a thousandth of the width of narrow buckets is raised to that thousandth.
///
/// Collective: yes, with the same source and options on all ranks. Blocks: until all ranks are done. Cost:
/// O(arcs / P) work per rank if each vertex is reached once; an exchange each time that the paths of a bucket
/// continue on other ranks, and one more exchange and a small all-reduce per bucket. Memory, beside the
/// graph: 24 bytes per vertex of the rank and 9 bytes per ghost. Order: the weights of a path are added up
/// from the source on, with rounding at each arc, and the least sum of all paths is the result, as in
/// Dijkstra's algorithm. Rounding is monotone, so the result has the same bits in any order of relaxations
/// and at any number of ranks. A sum beyond the largest double is infinite, as if the vertex were not
/// reached. Throws: `usage_error` for an invalid source, and for a weight or a delta that is negative,
/// infinite or NaN; `mpi_error`. Source: Meyer, Sanders, Delta-stepping: a parallelizable shortest path
/// algorithm, Journal of Algorithms, 2003.
[[nodiscard]] path_lengths find_shortest_paths(
    arc_graph const& graph, global_id source, shortest_paths_options const& options = {});

} // namespace weft
