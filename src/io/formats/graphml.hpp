/// Graphs from GraphML.
#pragma once

#include "io/packed/byte_stream.hpp"
#include "io/text/line_parser.hpp"

#include <weft/graph/edge_list.hpp>

#include <filesystem>

namespace weft::io {

/// Reads the one graph of a GraphML file, whose text `stream` gives: nodes by their ids, which are labels of
/// text, also those without edges; edges, all directed or none; the weight of an edge is its datum of the
/// name "weight". Local. Throws: `io_error`, "FILE:LINE: ...", for what is no such file, for hyperedges and
/// graphs within nodes, and for edges between nodes that the file does not declare.
[[nodiscard]] edge_list read_graphml(
    byte_stream& stream, std::filesystem::path const& file, weight_use weights);

} // namespace weft::io
