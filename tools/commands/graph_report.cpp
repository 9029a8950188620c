#include "graph_report.hpp"

#include "report/report.hpp"

#include <fmt/format.h>

namespace weft::tool {

void report_graph(nlohmann::ordered_json& result, arc_graph const& graph) {
    result["vertices"] = graph.vertex_count();
    if (graph.direction() == arc_direction::both)
        result["edges"] = graph.arc_count() / 2;
    else
        result["arcs"] = graph.arc_count();
    result["loops"] = graph.loop_count();
}

std::string rows_of_graph(nlohmann::ordered_json const& result) {
    auto const number = [&](char const* name) { return grouped(result[name].get<std::int64_t>()); };
    char const* const lines = result.contains("arcs") ? "arcs" : "edges";
    return table_row("vertices", number("vertices")) +
           table_row(lines, fmt::format("{} ({} loops dropped)", number(lines), number("loops")));
}

} // namespace weft::tool
