/// Generated graphs, equal at any number of ranks: random graphs, grids and tori.
#pragma once

#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace weft {

class communicator;

/// Options of a recursive-matrix graph (R-MAT); the defaults are those of Graph500.
struct rmat_options {
    int scale = 16;                ///< The graph has 2^scale vertices; scale is 0 to 62.
    std::int64_t edge_factor = 16; ///< The number of edges divided by the number of vertices.
    double a = 0.57;               ///< Probability that both ends lie in the lower half of the vertices.
    double b = 0.19;               ///< Probability that only the source lies in the lower half.
    /// Probability that only the target lies in the lower half; the remaining probability is that both ends
    /// lie in the upper half.
    double c = 0.19;
    std::uint64_t seed = 1; ///< Seed of the random numbers.
    /// True to permute the vertices at random, so that the number of a vertex has no relation to its degree.
    bool scramble = true;
    /// A function that is called on each rank from time to time, with the number of edges that the rank has
    /// made and the number of edges that it has to make.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Generates the edges of a recursive-matrix graph, a contiguous share on each rank. Edge i depends only on
/// the options and on i. Loops and duplicates occur. Collective: yes, over `comm`, with equal options.
/// Blocks: until all ranks have called. Cost: O(scale / 5) time per edge; memory only for the result. Order:
/// edges ascend by their number i over all ranks; rank 0 has the first edges. Deterministic. Throws on all
/// ranks: `usage_error` for options out of range; errors of `progress`. Source: Chakrabarti, Zhan, Faloutsos,
/// R-MAT, SDM 2004; Graph500 specification, section 3.
[[nodiscard]] edge_list generate_rmat(communicator const& comm, rmat_options const& options = {});

/// Options of a graph G(n, p): each pair of vertices is an edge with probability p, independently of other
/// pairs.
struct erdos_renyi_options {
    std::int64_t vertices = std::int64_t{1} << 16; ///< The number of vertices, 0 to 2^31.
    double average_degree = 16;                    ///< Mean number of neighbours.
    /// The probability p of an edge; if `probability` is set, it replaces `average_degree`.
    std::optional<double> probability = {};
    std::uint64_t seed = 1; ///< Equal options and seeds give equal graphs.
    /// A function that is called on each rank from time to time, with the number of finished sections of the
    /// rank's share and the number of all its sections.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Generates a random graph: each rank makes the edges of its contiguous share of the pairs, without loops or
/// duplicates. Collective: yes, over `comm`, with equal options. Blocks: until all ranks have called. Cost:
/// O((vertices + edges) / P) time; memory only for the result. Order: edges ascend by (source, target) over
/// all ranks, with target < source; rank 0 has the first edges. The graph may differ between platforms whose
/// logarithms differ in rounding. Throws: on all ranks, `usage_error` for options out of range and errors of
/// `progress`. Source: Batagelj, Brandes, Efficient generation of large random networks, Phys. Rev. E 71,
/// 2005.
[[nodiscard]] edge_list generate_erdos_renyi(
    communicator const& comm, erdos_renyi_options const& options = {});

/// Options of a random geometric graph: vertices are random points of the unit square or unit cube, and edges
/// join points that are at most `radius` apart.
struct geometric_options {
    std::int64_t vertices = std::int64_t{1} << 16; ///< The number of vertices, 0 to 2^31.
    int dimensions = 2;                            ///< The number of dimensions, 2 or 3.
    /// Mean number of neighbours of a vertex; vertices near the border of the square have fewer.
    double average_degree = 16;
    /// The greatest distance between neighbours, 0 to 1; if `radius` is set, it replaces `average_degree`.
    std::optional<double> radius = {};
    std::uint64_t seed = 1; ///< Equal options and seeds give equal graphs.
    /// A function that is called on each rank from time to time, with the number of its finished cells and
    /// the number of all its cells.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Generates a random geometric graph: each rank makes the edges of its contiguous share of the cells of the
/// square, without loops or duplicates. Vertices are numbered cell by cell, so that neighbours have close
/// numbers. Coordinates and distances are integer multiples of 2^-31. Collective: yes, over `comm`, with
/// equal options. Blocks: until all ranks have called. Cost: O((vertices + edges) / P) time and O(vertices /
/// 64) to divide vertices among cells; memory only for the result and the points. Order: edges ascend by
/// (source, target) over all ranks, with source < target; rank 0 has the first edges. If `radius` is not set,
/// a graph in three dimensions may differ between platforms if their cube root functions round differently.
/// Throws: on all ranks, `usage_error` for options out of range and errors of `progress`. Source: Gilbert,
/// Random plane networks, 1961; points made on each rank that needs them: Funke and others,
/// Communication-free massively distributed graph generation, IPDPS 2018.
[[nodiscard]] edge_list generate_geometric(communicator const& comm, geometric_options const& options = {});

/// Options of a grid, or of a torus if `periodic` is true: vertices are points of integer coordinates, and
/// edges join points that differ by one in one coordinate.
struct lattice_options {
    /// The number of vertices along each of 1 to 8 axes. Point (x, y, z, ...) is vertex x + extents[0] * (y +
    /// extents[1] * (z + ...)).
    std::vector<std::int64_t> extents = {256, 256};
    /// True if the two ends of an axis are neighbours; an axis of fewer than 3 vertices is never periodic.
    bool periodic = false;
    /// A function that is called on each rank from time to time, with the number of its finished vertices and
    /// the number of all its vertices.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Generates a grid or a torus: each rank makes the edges that begin at its contiguous share of the vertices,
/// without loops or duplicates. Collective: yes, over `comm`, with equal options. Blocks: until all ranks
/// have called. Cost: O(vertices / P) time; memory only for the result. Order: edges ascend by vertex, then
/// by axis, over all ranks; rank 0 has the first edges. Throws: on all ranks, `usage_error` for 0 axes or
/// more than 8, an extent below 1, or 2^60 vertices or more; errors of `progress`.
[[nodiscard]] edge_list generate_lattice(communicator const& comm, lattice_options const& options = {});

} // namespace weft
