/// Parts of commands on graphs: building the graph, its size in a report, and rows of the table.
/// of it.
#pragma once

#include "asked_graph.hpp"
#include "report/reporting_command.hpp"

#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::tool {

/// Builds the graph as a phase of the command. Arcs of directed files are kept `along` a direction, edges of
/// others go both ways. With a seed, weights are drawn in place of those of the edges. Collective.
[[nodiscard]] arc_graph const& build_graph(session const& now, asked_graph& asked, arc_direction along,
    arc_weights weights = arc_weights::none, std::optional<std::uint64_t> weight_seed = {});

/// Adds vertices, loops, and arcs, or edges where directions are forgotten, to the result of a report.
void report_graph(nlohmann::ordered_json& result, arc_graph const& graph);
/// Adds vertices, loops and arcs, also where edges are two of these.
void report_arcs(nlohmann::ordered_json& result, arc_graph const& graph);

/// Rows of these.
[[nodiscard]] std::string rows_of_graph(nlohmann::ordered_json const& result);
/// The row of a number of things.
[[nodiscard]] std::string count_row(std::string_view name, nlohmann::ordered_json const& count);
/// The row of `iterations`, and whether they have `converged`.
[[nodiscard]] std::string iterations_row(nlohmann::ordered_json const& result);

} // namespace weft::tool
