#include "graph_report.hpp"

#include "report/report.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace weft::tool {

arc_graph const& build_graph(session const& now, asked_graph& asked, arc_direction along, arc_weights weights,
    std::optional<std::uint64_t> weight_seed) {
    now.progress.phase("building the graph");
    arc_graph const& graph = asked.arcs(along, weights, weight_seed);
    now.watch.lap("build");
    return graph;
}

void report_graph(nlohmann::ordered_json& result, arc_graph const& graph) {
    if (graph.direction() != arc_direction::both) return report_arcs(result, graph);
    result["vertices"] = graph.vertex_count();
    result["edges"] = graph.arc_count() / 2;
    result["loops"] = graph.loop_count();
}

void report_arcs(nlohmann::ordered_json& result, arc_graph const& graph) {
    result["vertices"] = graph.vertex_count();
    result["arcs"] = graph.arc_count();
    result["loops"] = graph.loop_count();
}

std::string rows_of_graph(nlohmann::ordered_json const& result) {
    auto const number = [&](char const* name) { return grouped(result[name].get<std::int64_t>()); };
    char const* const lines = result.contains("arcs") ? "arcs" : "edges";
    return table_row("vertices", number("vertices")) +
           table_row(lines, fmt::format("{} ({} loops dropped)", number(lines), number("loops")));
}

std::string count_row(std::string_view name, nlohmann::ordered_json const& count) {
    return table_row(name, grouped(count.get<std::int64_t>()));
}

std::string iterations_row(nlohmann::ordered_json const& result) {
    return table_row("iterations", grouped(result["iterations"].get<std::int64_t>()) +
                                       (result["converged"].get<bool>() ? "" : " (not converged)"));
}

} // namespace weft::tool
