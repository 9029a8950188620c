/// Generated graphs, named by a text such as `rmat:16` that the command and Python take in place of a file.
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
    /// The option `progress` of the generators.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Returns true if a text begins like a generated graph: with "rmat:", "er:", "rgg:", "grid:", "torus:" or
/// "parts:". Local.
[[nodiscard]] bool names_generator(std::string_view text) noexcept;

/// Returns the forms of text that `generate_graph` reads, separated by commas. Local.
[[nodiscard]] std::string list_of_generators();

/// Returns the approximate number of edges of the graph that a text describes, on all ranks; 0 if an option
/// is out of range. Local. Throws: `usage_error` for a text that does not have this form.
[[nodiscard]] double expected_edges(std::string const& text);

/// Generates the graph that a text names:
///
/// - `rmat:SCALE[:EDGE_FACTOR][,a=A][,b=B][,c=C][,scramble=no]`, by `generate_rmat`;
/// - `er:VERTICES[:AVERAGE_DEGREE][,probability=P]`, by `generate_erdos_renyi`;
/// - `rgg:VERTICES[:AVERAGE_DEGREE][,radius=R][,dimensions=3]`, by `generate_geometric`;
/// - `grid:WIDTHxHEIGHT[xDEPTH...]` and `torus:...`, by `generate_lattice`;
/// - `parts:PARTSxVERTICES[:LINKS][,probability=P]`: random graphs, each with LINKS edges (6) to random
///   vertices of other parts, and a cycle through all vertices: the graph of Hoefler, Siebert, Lumsdaine,
///   PPoPP 2010, section 5.1.1 (there P is 0.03, as here, and a part has 15,000 vertices).
///
/// Collective: yes, over `comm`, with the same text and seed. Blocks, Cost, Order: as the function in the
/// list. Throws: on all ranks, `usage_error` for a text of another form, an option out of range, a list of
/// edges larger than the free memory; errors of `progress`.
[[nodiscard]] edge_list generate_graph(
    communicator const& comm, std::string const& text, generation_options const& options = {});

} // namespace weft
