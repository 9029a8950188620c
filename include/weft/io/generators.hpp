/// Graphs that are made, the same at any number of ranks: random ones, grids and tori.
#pragma once

#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace weft {

class communicator;

/// A recursive-matrix graph; by default Graph500's.
struct rmat_options {
    int scale = 16;                ///< 2^scale vertices, 0..62.
    std::int64_t edge_factor = 16; ///< Edges to a vertex, on average.
    double a = 0.57;               ///< Probability that both ends lie in the lower half of the vertices,
    double b = 0.19;               ///< that only the source does,
    double c = 0.19;               ///< that only the target does; 1 - a - b - c is left for neither.
    std::uint64_t seed = 1;        ///< Seed of the random numbers.
    bool scramble = true;          ///< Renames the vertices, so that their numbers do not tell their degrees.
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
    double average_degree = 16;                    ///< Mean number of neighbours.
    std::optional<double> probability =
        {};                 ///< Of an edge; counts instead of the average degree where it is set.
    std::uint64_t seed = 1; ///< Graphs of equal options and seeds are equal.
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

/// A random geometric graph: vertices are random points of the unit square, or cube, and edges join those
/// that are at most `radius` apart.
struct geometric_options {
    std::int64_t vertices = std::int64_t{1} << 16; ///< 0..2^31.
    int dimensions = 2;                            ///< 2 or 3.
    /// Of a vertex that is farther than the radius from the border; others have fewer neighbours.
    double average_degree = 16;
    std::optional<double> radius = {}; ///< 0..1; counts instead of the average degree where it is set.
    std::uint64_t seed = 1;            ///< Graphs of equal options and seeds are equal.
    /// Called on every rank now and then with the cells of its share that are done and their number.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Generates a random geometric graph: each rank the edges of its contiguous share of the cells that the
/// square is cut into; without loops or duplicates. Vertices are numbered cell by cell, so that neighbours
/// have close numbers. Coordinates and distances are integers of 2^-31. Collective: yes, over `comm`, with
/// equal options. Blocks: until all ranks have called. Cost: O((vertices + edges) / P) time and O(vertices /
/// 64) to divide vertices among cells; memory of the result and of the points. Order: by (source, target),
/// source < target, from rank to rank. Deterministic, but in three dimensions the platform's cube root
/// matters where the degree is given. Throws: `usage_error` for options out of range; what `progress` throws;
/// agreed. Source: Gilbert, Random plane networks, 1961; points made where they are needed: Funke and others,
/// Communication-free massively distributed graph generation, IPDPS 2018.
[[nodiscard]] edge_list generate_geometric(communicator const& comm, geometric_options const& options = {});

/// A grid, or a torus where it is periodic: vertices are points of integer coordinates, and edges join those
/// that differ by one in one of them.
struct lattice_options {
    /// Vertices along each axis, 1 to 8 axes; vertex x + extents[0] * (y + extents[1] * (z + ...)).
    std::vector<std::int64_t> extents = {256, 256};
    bool periodic = false; ///< The last vertex along an axis of 3 or more is a neighbour of the first.
    /// Called on every rank now and then with the vertices of its share that are done and their number.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Generates a grid or a torus: each rank the edges that begin at its contiguous share of the vertices;
/// without loops or duplicates. Collective: yes, over `comm`, with equal options. Blocks: until all ranks
/// have called. Cost: O(vertices / P) time, memory of the result. Order: by vertex and axis, from rank to
/// rank. Throws: `usage_error` for no axis or more than 8, an extent below 1, 2^60 vertices and more; what
/// `progress` throws; agreed.
[[nodiscard]] edge_list generate_lattice(communicator const& comm, lattice_options const& options = {});

} // namespace weft
