/// Shortest paths along weighted arcs.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The same on all ranks.
struct shortest_paths_options {
    /// The width of a bucket, above 0; the distances do not depend on it. 0: chosen, see
    /// `find_shortest_paths`.
    double delta = 0;
};

/// The distances from one vertex, as sums of weights. Everything but `distance` is equal on all ranks.
struct path_lengths {
    std::vector<double> distance; ///< of every vertex of this rank; infinite where it was not reached
    std::int64_t reached = 0;     ///< vertices, the source among them
    double longest = 0;           ///< the largest finite distance
    double sum_of_distances = 0;  ///< of the vertices that are reached; added up in integers
    double delta = 0;             ///< the width that buckets had
    std::int64_t buckets = 0;     ///< that were emptied
    std::int64_t exchanges = 0;   ///< that this took
};

/// Finds the lengths of the shortest paths from `source`, along arcs with the weights of the graph, or of 1
/// each where it has none.
///
/// By delta-stepping. Vertices lie in buckets of width delta by the distance known so far. The ranks empty
/// the first bucket together: arcs of at most delta are followed at once, in order of distance on each rank,
/// and what reaches vertices of other ranks is exchanged, each at most once a round, until the bucket stays
/// empty; then the longer arcs are followed, once, as they lead to later buckets. Where delta is not given it
/// is 16 times the mean weight: with an order by distance within a bucket a wide one costs little work, and
/// each bucket costs two collective operations at least.
///
/// Collective: yes, with the same source and options on all ranks. Blocks: until all ranks are done. Cost:
/// O(arcs / P log n) work a rank where each vertex is settled once; an exchange for each time that the paths
/// of a bucket cross ranks, an exchange and a census a bucket. Memory: 16 bytes an arc beside the graph.
/// Order: a path is added up from the source on, rounding at each arc, and the least sum of all paths is the
/// result, as in Dijkstra's algorithm: rounding is monotone, so it is the same to the last bit in any order
/// of relaxations and at any number of ranks. A sum beyond the largest double is infinite: not reached.
/// Throws: `usage_error` for a source that is no vertex, a weight that is negative, infinite or NaN, a delta
/// that is; `mpi_error`. Source: Meyer, Sanders, Delta-stepping: a parallelizable shortest path algorithm,
/// Journal of Algorithms, 2003.
[[nodiscard]] path_lengths find_shortest_paths(
    arc_graph const& graph, global_id source, shortest_paths_options const& options = {});

} // namespace weft
