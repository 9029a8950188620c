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
    automatic,     ///< The suffix of the file name selects the format; the content must confirm it.
    edge_list,     ///< Lines that begin with two labels, as in SNAP; comments begin with # or %.
    matrix_market, ///< Coordinate matrices with a %%MatrixMarket banner.
    metis,         ///< METIS `.graph`: a header, then a line of neighbours for every vertex.
    graphml,       ///< A graph of nodes and edges in XML; rank 0 reads it and keeps all edges.
    numpy,         ///< `.npy`: an array of shape (edges, 2), or (edges, 3) with weights.
    csv,    ///< Columns separated by commas, semicolons, tabs or bars, with or without quotes and a header.
    dimacs, ///< `.gr`: a `p` line, then PACE's pairs, DIMACS `a` arcs or DIMACS `e` edges.
    binary  ///< `.wgraph`: Weft's own format, which `write_graph` writes; each rank reads its share.
};

/// The role of the first line of a CSV file.
enum class csv_header : std::uint8_t {
    /// The first line has the names of columns if it contains the names in `columns`, usual names such as
    /// `source` and `target`, or words above numbers.
    automatic,
    yes, ///< The first line has the names of columns.
    no   ///< The first line has values.
};

/// Options of reading a graph.
struct read_options {
    /// The format of the file. With `automatic` the suffix of the file name decides, without `.gz`, `.bz2`,
    /// `.xz` or `.zst`: `.mtx .mm` MatrixMarket, `.graph .metis` METIS, `.gr .dimacs .col` DIMACS, `.csv`
    /// CSV, `.npy` NumPy, `.graphml` GraphML, `.wgraph` binary, `.txt .edges .el .tsv .snap` edge list; other
    /// files are recognised by their first lines.
    graph_format format = graph_format::automatic;

    /// True to fill `edge_list::weights`. The weight of an edge is the value of a matrix entry, the length of
    /// an arc, or the third column of an edge list; it is 1 if the file has no weights.
    bool weights = false;

    /// The columns of a CSV file with sources, targets and optionally weights, by name or by number from 1.
    /// Default: usual names (source and target, from and to, src and dst, ...; weight, length, ...), or the
    /// first two columns. For weights the default is the only column of numbers beside the ends of edges, or
    /// the third column if it has numbers.
    std::vector<std::string> columns = {};
    /// The column of weights of a CSV file, by name or by number from 1, if `columns` does not give it. If
    /// `weight` is set, the ends of edges are in the columns with usual names such as `source` and `target`,
    /// or else in the first two columns beside the weights.
    std::string weight = {};

    /// The role of the first line. If `header`, `columns`, `weight`, `delimiter` or `decimal` is set, an edge
    /// list is read as CSV.
    csv_header header = csv_header::automatic;
    /// The character between fields; 0 means the comma, semicolon, tab or bar, whichever is most frequent.
    char delimiter = '\0';
    char decimal = '.'; ///< The decimal point of weights: a dot or a comma.

    /// A function that is called on rank 0 with a warning if the first line, which is read as an edge, may be
    /// a header or a line of counts.
    std::function<void(std::string const&)> warn = {};

    /// True if weights are lengths: a weight that is negative, infinite or NaN is then an error.
    bool lengths = false;

    /// A function that is called on every rank after every block, with the number of bytes that have been
    /// read and the number of bytes to read: the rank's share of a plain file, or a whole compressed file.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};

    /// The number of bytes of text that a rank keeps at a time; it grows to the length of the longest line.
    std::int64_t block_bytes = std::int64_t{1} << 20;
};

/// Reads a graph from a plain, gzip, bzip2, xz or zstd file, detected by content. Every rank parses its own
/// byte range of a plain file; a line belongs to the range in which it starts. Rank 0 decompresses a
/// compressed file and sends whole lines to the other ranks. All ranks must have access to a plain file, and
/// rank 0 to a compressed file.
///
/// If any label of an edge list or of a CSV file is not a 64-bit integer, all labels of the file are text, on
/// all ranks.
///
/// Collective: yes, over `comm`. Blocks: until all ranks have their edges. Cost: one pass over the file (two
/// for edge lists with text labels); O(1) collectives for a plain file, and a few collectives for every P
/// blocks of a compressed file. Memory for the result and one block; for a compressed file P blocks on rank 0
/// (at most 256 MiB, or 64 KiB per rank). Order: the edges of a rank have the order of the file. For a plain
/// file, rank 0 has the first edges, rank 1 the next, and so on. Throws: `io_error`, the same on all ranks,
/// if the file cannot be read or breaks its format (the text names the first wrong line); `usage_error` for a
/// `block_bytes` below 1; errors of `progress`.
[[nodiscard]] edge_list read_graph(
    communicator const& comm, std::string const& file, read_options const& options = {});

} // namespace weft
