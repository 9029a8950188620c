/// Generated graphs, named by a text such as `rmat:16`. The command `weft` and the Python package take the
/// text in place of the name of a file.
#pragma once

#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace weft {

class communicator;

/// Options of `generate_graph` that are not in the text.
struct generation_options {
    std::uint64_t seed = 1; ///< Seed of random graphs.
    /// A function that is passed to the generator of the graph, such as `generate_rmat`, as its option
    /// `progress`.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Returns true if a text begins like the name of a generated graph: with "rmat:", "er:", "rgg:", "grid:",
/// "torus:" or "parts:". Local.
[[nodiscard]] bool names_generator(std::string_view text) noexcept;

/// Returns the forms of texts that `generate_graph` reads, such as "er:VERTICES", separated by commas. Local.
[[nodiscard]] std::string list_of_generators();

/// Returns the approximate number of edges, on all ranks, of the graph that a text names; 0 if an option is
/// out of range. Local. Throws: `usage_error` for a text that `generate_graph` does not read.
[[nodiscard]] double expected_edges(std::string const& text);

/// Generates the graph that a text names:
///
/// - `rmat:SCALE[:EDGE_FACTOR][,a=A][,b=B][,c=C][,scramble=no]`, by `generate_rmat`;
/// - `er:VERTICES[:AVERAGE_DEGREE][,probability=P]`, by `generate_erdos_renyi`;
/// - `rgg:VERTICES[:AVERAGE_DEGREE][,radius=R][,dimensions=3]`, by `generate_geometric`;
/// - `grid:WIDTHxHEIGHT[xDEPTH...]` and `torus:...`, by `generate_lattice`;
/// - `parts:PARTSxVERTICES[:LINKS][,probability=P]`: PARTS random graphs of VERTICES vertices, each with
///   LINKS edges (by default 6) to random vertices of the other random graphs, and a cycle through all
///   vertices. The graph is that of Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 5.1.1. In the paper P is
///   0.03, which is the default, and VERTICES is 15,000.
///
/// Collective: yes, over `comm`, with the same text and seed on all ranks. Blocks, Cost, Order: as the
/// function that the list above names. Throws: on all ranks, `usage_error` for a text that names no graph, an
/// option out of range, a list of edges larger than the free memory; errors of `progress`.
[[nodiscard]] edge_list generate_graph(
    communicator const& comm, std::string const& text, generation_options const& options = {});

} // namespace weft
