/// The GRAPH argument that several commands share.
#pragma once

#include "command.hpp"

#include <weft/graph/simple_graph.hpp>

#include <string>

namespace weft::tool {

/// A file, or a generator: `rmat:SCALE[:EDGE_FACTOR]`, `er:VERTICES[:AVERAGE_DEGREE]`.
struct graph_argument {
    std::string graph;
    std::string format;

    void add_to(CLI::App& command);
    /// How the table names it: the last part of the path.
    [[nodiscard]] std::string short_name() const;
};

/// Reads (or generates) and builds the graph, timing the phases, and fills `input` of the report. Collective.
[[nodiscard]] simple_graph load_graph(communicator const& comm, graph_argument const& which,
    common_options const& common, progress_line& progress, stopwatch& watch, nlohmann::ordered_json& report);

/// A vertex's original id as JSON: a number where it is one. Collective; -1 gives null.
[[nodiscard]] nlohmann::ordered_json original_id_as_json(simple_graph const& graph, global_id vertex);

} // namespace weft::tool
