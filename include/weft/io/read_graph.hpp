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
    automatic,     ///< The format of the suffix, confirmed by the content.
    edge_list,     ///< Lines that begin with two labels, as SNAP has them; comments start with # or %.
    matrix_market, ///< Coordinate matrices with a %%MatrixMarket banner.
    metis,         ///< METIS `.graph`: a header, then a line of neighbours for every vertex.
    graphml,       ///< A graph of nodes and edges in XML; rank 0 reads it and keeps all edges.
    numpy,         ///< `.npy`: an array of shape (edges, 2), or (edges, 3) with weights.
    csv,    ///< Columns between commas, semicolons, tabs or bars, quoted or not, below a header or not.
    dimacs, ///< `.gr`: a `p` line, then PACE's pairs, DIMACS `a` arcs or DIMACS `e` edges.
    binary  ///< `.wgraph`: Weft's own format, by `write_graph`; each rank reads its share.
};

/// The role of the first line of a CSV file.
enum class csv_header : std::uint8_t {
    automatic, ///< Names, if it has the given or usual names, or words above numbers.
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

    /// The columns of a CSV file for sources, targets and maybe weights: names of its header, or numbers
    /// (from 1). Default: usual names (source and target, from and to, src and dst, ...; weight, length,
    /// ...), or the first two; for weights the only other column of numbers, or the third if it has some.
    std::vector<std::string> columns = {};
    /// The column of weights of a CSV file, by name or by number from 1, if `columns` does not give it. The
    /// first two other columns are then the ends of edges, unless columns have the usual names.
    std::string weight = {};

    /// These three make a CSV file of an edge list, as `columns` and `weight` do.
    csv_header header = csv_header::automatic;
    char delimiter = '\0'; ///< Between fields; 0 means the most frequent of comma, semicolon, tab and bar.
    char decimal = '.';    ///< In weights: a dot or a comma.

    /// Is called on rank 0 with a sentence about input that may be read in an unintended way.
    std::function<void(std::string const&)> warn = {};

    /// True if weights are lengths: with `weights`, a negative, infinite or NaN weight is an error.
    bool lengths = false;

    /// Is called on every rank after every block with the bytes of the file that are done and the bytes that
    /// this rank waits for: its share of a plain file, or a whole compressed file.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};

    /// Bytes of text that a rank holds at a time; it grows to the longest line.
    std::int64_t block_bytes = std::int64_t{1} << 20;
};

/// Reads a graph from a plain, gzip, bzip2, xz or zstd file, detected by content. Every rank parses its own
/// byte range of a plain file; a line belongs to the range in which it starts. Rank 0 decompresses other
/// files and sends out whole lines. A plain file must be visible to all ranks, a compressed one to rank 0.
///
/// If any label of an edge list or of a CSV file is not a 64-bit integer, all of its labels are text, on all
/// ranks.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have their part. Cost: one pass over the file (two
/// for edge lists of text); O(1) collectives for a plain file and a few for every round of P blocks for a
/// compressed one; memory of the result and of a block, on rank 0 of a compressed file of P blocks (at most
/// 256 MiB, or 64 KiB per rank). Order: the edges of a rank are in file order; of a plain file, also from
/// rank to rank. Throws: `io_error`, the same on all ranks, where the file cannot be read or breaks its
/// format, which names the lowest bad line; `usage_error` for a `block_bytes` below 1; errors of
/// `progress`.
[[nodiscard]] edge_list read_graph(
    communicator const& comm, std::string const& file, read_options const& options = {});

} // namespace weft
