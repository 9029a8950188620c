/// The GRAPH argument that several commands share.
#pragma once

#include "report/reporting_command.hpp"

#include <io/formats/built_graph.hpp>
#include <weft/graph/edge_list.hpp>
#include <weft/graph/vertex_set.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::tool {

/// A file, or a generator as `generate_graph` reads it.
struct graph_argument {
    std::string graph;
    std::string format;
    std::vector<std::string> columns; ///< of a CSV file; empty: the usual ones
    std::string weight;               ///< of a CSV file, with `columns` of two or without; empty: as they say
    std::string header = "auto";      ///< of a CSV file: yes, no or auto
    std::string delimiter;     ///< of a CSV file: a character or its name; empty: the most frequent one
    std::string decimal = "."; ///< of a CSV file

    /// `name` is what the help calls the argument.
    void add_to(CLI::App& command, std::string const& name);
    /// Throws: `usage_error` if there is an option of CSV files for something else.
    void refuse_options_of_csv() const;
    /// How the table names it: the last part of the path.
    [[nodiscard]] std::string short_name() const;
};

/// The help of an argument that takes a generator.
[[nodiscard]] std::string help_of_generators();

/// Values read of a file besides its edges; lengths are weights that are finite and at least 0, and the
/// command refuses a file without them where they are required.
enum class edge_values { none, weights, lengths, required_lengths };

/// Reads (or generates) the edges, timing it, and fills `input` of the report. Collective.
[[nodiscard]] edge_list load_edges(
    session const& now, graph_argument const& which, edge_values values, common_options const& common);

/// The graph of a file that holds its rows, which questions read when they need them; nothing for other
/// files, generators and standard input. Fills `input` of the report as `load_edges` does. Collective.
[[nodiscard]] std::optional<io::built_graph> load_built_graph(
    session const& now, graph_argument const& which, edge_values values, common_options const& common);

/// A vertex's original id as JSON: a number where it is one. Collective; -1 gives null.
[[nodiscard]] nlohmann::ordered_json original_id_as_json(vertex_set const& vertices, global_id vertex);
/// Original ids as JSON, of vertices of any rank.
[[nodiscard]] nlohmann::ordered_json original_ids_as_json(
    vertex_set const& vertices, std::span<global_id const> asked);

} // namespace weft::tool
