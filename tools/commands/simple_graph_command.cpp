#include "simple_graph_command.hpp"
#include "graph_report.hpp"

namespace weft::tool {

simple_graph_command::simple_graph_command(CLI::App& app, std::string_view name) : graph_command(app, name) {
}

void simple_graph_command::compute(asked_graph& asked, session const& now) {
    now.progress.phase("building the graph");
    simple_graph const& graph = asked.simple();
    now.watch.lap("build");
    auto& result = now.report["result"];
    result["vertices"] = graph.vertex_count();
    result["edges"] = graph.edge_count();
    result["loops"] = graph.loop_count();
    compute(graph, asked, now);
}

std::string simple_graph_command::rows(nlohmann::ordered_json const& report) const {
    auto const& result = report["result"];
    return rows_of_graph(result) + describe_result(result);
}

} // namespace weft::tool
