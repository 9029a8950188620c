/// Graphs from files.
#pragma once

#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft {

class communicator;

/// The formats of graph files that Weft reads.
enum class graph_format : std::uint8_t {
    automatic,     ///< By suffix, confirmed by content.
    edge_list,     ///< Two labels a line and what follows them; comments start with # or %. SNAP's format.
    matrix_market, ///< Coordinate matrices with a %%MatrixMarket banner.
    metis,         ///< METIS `.graph`: a header, then a line of neighbours for every vertex.
    graphml,       ///< One graph of nodes and edges in XML; read by rank 0, which keeps all edges.
    numpy,         ///< `.npy`: an array of shape (edges, 2), or (edges, 3) with weights.
    csv,    ///< Columns between commas, semicolons, tabs or bars, quoted or not, below a header or not.
    dimacs, ///< `.gr`: a `p` line, then PACE's pairs, DIMACS `a` arcs or DIMACS `e` edges.
    binary  ///< `.wgraph`: Weft's own, as `write_graph` writes it; each rank reads its share as it stands.
};

/// The role of the first line of a CSV file.
enum class csv_header : std::uint8_t {
    automatic, ///< Names of columns where it has those asked for, usual ones, or words above numbers.
    yes,       ///< The first line has the names of columns.
    no         ///< The first line has values.
};

/// Options of reading a graph.
struct read_options {
    /// Suffixes after `.gz`, `.bz2`, `.xz` and `.zst`: `.mtx .mm` MatrixMarket, `.graph .metis` METIS,
    /// `.gr .dimacs .col` DIMACS, `.csv` CSV, `.npy` NumPy, `.graphml` GraphML, `.wgraph` binary, `.txt
    /// .edges .el .tsv .snap` edge list; others by their first lines.
    graph_format format = graph_format::automatic;

    /// Fills `edge_list::weights`: a matrix entry's value, an arc's length, the third column of an edge list;
    /// 1 for every edge where the file has no weights.
    bool weights = false;

    /// Of a CSV file the columns of sources, of targets and maybe of weights: names of its header, or numbers
    /// from 1. Empty: the usual names (source and target, from and to, src and dst, ...; weight, length,
    /// ...), or the first two; and of weights the only other one of numbers, or the third where it has some.
    std::vector<std::string> columns = {};
    /// Of a CSV file the column of weights, by name or by number from 1, where `columns` do not say it. The
    /// first two other columns are then the ends of edges, where no usual names say it.
    std::string weight = {};

    /// These three make a CSV file of an edge list, as `columns` and `weight` do.
    csv_header header = csv_header::automatic;
    char delimiter = '\0'; ///< Between fields; 0: the comma, semicolon, tab or bar that is most frequent.
    char decimal = '.';    ///< In weights: a dot or a comma.

    /// Called on rank 0 with a sentence about input that may not be read as it was meant.
    std::function<void(std::string const&)> warn = {};

    /// Weights are lengths: with `weights`, a weight that is negative, infinite or NaN is an error.
    bool lengths = false;

    /// Called on every rank after every block with the bytes of the file that are done and those that this
    /// rank waits for: of its own share of a plain file, of the whole of a compressed one.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};

    /// Text held at a time, a rank; grows to the longest line.
    std::int64_t block_bytes = std::int64_t{1} << 20;
};

/// Reads a graph; plain, gzip, bzip2, xz or zstd, told apart by content. Every rank parses its own byte range
/// of a plain file, a line belonging to the range in which it starts; rank 0 decompresses and deals out whole
/// lines otherwise. A plain file must be visible to all ranks, a compressed one to rank 0.
///
/// If any label of an edge list or of a CSV file is not a 64-bit integer, all of its labels are text, on all
/// ranks.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have their part.
/// Cost: one pass over the file (two for edge lists of text); O(1) collectives for a plain file and a few for
/// every round of P blocks for a compressed one; memory of the result and of a block, on rank 0 of a
/// compressed file of P blocks (at most 256 MiB, or 64 KiB a rank). Order: the edges of a rank are in file
/// order; of a plain file, also from rank to rank. Throws: `io_error`, the same on all ranks, where the file
/// cannot be read or breaks its format: the lowest bad line, one line of text; `usage_error` for a
/// `block_bytes` below 1; what `progress` throws.
[[nodiscard]] edge_list read_graph(
    communicator const& comm, std::string const& file, read_options const& options = {});

} // namespace weft
