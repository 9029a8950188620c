/// Random graphs that are the same at any number of ranks.
#pragma once

#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace weft {

class communicator;

/// A recursive-matrix graph; by default Graph500's.
struct rmat_options {
    int scale = 16;                ///< 2^scale vertices, 0..62.
    std::int64_t edge_factor = 16; ///< Edges to a vertex, on average.
    double a = 0.57;               ///< Probability that both ends lie in the lower half of the vertices,
    double b = 0.19;               ///< that only the source does,
    double c = 0.19;               ///< that only the target does; 1 - a - b - c is left for neither.
    std::uint64_t seed = 1;
    bool scramble = true; ///< Renames the vertices, so that their numbers do not tell their degrees.
    /// Called on every rank now and then with the edges of its share that there are, and the whole share.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Generates edges, each rank a contiguous share of them; edge i depends on the options and on i alone. Loops
/// and duplicates occur. Collective: yes, over `comm`, with equal options. Blocks: until all ranks have
/// called. Cost: O(scale / 5) time an edge, memory of the result. Order: by the number of the edge, from rank
/// to rank. Deterministic. Throws: `usage_error` for options out of range; what `progress` throws; agreed.
/// Source: Chakrabarti, Zhan, Faloutsos, R-MAT, SDM 2004; Graph500 specification, section 3.
[[nodiscard]] edge_list generate_rmat(communicator const& comm, rmat_options const& options = {});

/// A graph G(n, p): every pair of vertices is an edge with the same probability, independently.
struct erdos_renyi_options {
    std::int64_t vertices = std::int64_t{1} << 16; ///< 0..2^31.
    double average_degree = 16;
    std::optional<double> probability =
        {}; ///< Of an edge; counts instead of the average degree where it is set.
    std::uint64_t seed = 1;
    /// Called on every rank now and then with the parts of its share that are done and their number.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Generates a random graph: each rank the edges of its contiguous share of the pairs; without loops or
/// duplicates. Collective: yes, over `comm`, with equal options. Blocks: until all ranks have called. Cost:
/// O((vertices + edges) / P) time, memory of the result. Order: by (source, target), target < source, from
/// rank to rank. Deterministic, but the platform's logarithm matters. Throws: `usage_error` for options out
/// of range; what `progress` throws; agreed. Source: Batagelj, Brandes, Efficient generation of large random
/// networks, Phys. Rev. E 71, 2005.
[[nodiscard]] edge_list generate_erdos_renyi(
    communicator const& comm, erdos_renyi_options const& options = {});

} // namespace weft
