/// The size of a graph: in a report, and in the table that is made of it.
#pragma once

#include "command.hpp"

#include <weft/graph/arc_graph.hpp>

#include <string>

namespace weft::tool {

/// Adds vertices, loops, and arcs, or edges where directions are forgotten, to the result of a report.
void report_graph(nlohmann::ordered_json& result, arc_graph const& graph);

/// Rows of these.
[[nodiscard]] std::string rows_of_graph(nlohmann::ordered_json const& result);

} // namespace weft::tool
