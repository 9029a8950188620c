#include "graph_command.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace weft::tool {

graph_command::graph_command(CLI::App& app, std::string const& name, std::string const& description)
    : name_(name) {
    parser_ = app.add_subcommand(name, description);
    parser_->footer(
        "The graph is seen as undirected and simple: directions are forgotten, loops and duplicate "
        "edges dropped. A rectangular matrix is a bipartite graph of rows and columns.");
    graph_.add_to(*parser_);
    common_.add_to(*parser_);
}

void graph_command::run(environment const& env) {
    communicator const comm = env.world();
    counters const before = counters_of(comm);
    auto report = make_report(name_, comm);
    progress_line progress(common_.progress, comm.rank());
    stopwatch watch(comm);
    simple_graph const graph = load_graph(comm, graph_, common_, progress, watch, report);

    auto& result = report["result"];
    result["vertices"] = graph.vertex_count();
    result["edges"] = graph.edge_count();
    result["loops"] = graph.loop_count();
    compute({graph, progress, watch, report});
    report["seconds"] = watch.seconds();
    report["traffic"] = traffic_since(comm, before);
    write_report(comm, report, common_.json);
    if (comm.rank() != 0 || !common_.shows_table()) return;

    std::string table = table_head(report, graph_.short_name());
    table += table_row("format", report["input"]["format"].get<std::string>());
    table += table_row("vertices", grouped(graph.vertex_count()));
    table += table_row("edges",
        fmt::format("{} ({} loops dropped)", grouped(graph.edge_count()), grouped(graph.loop_count())));
    table += describe(result) + table_foot(report);
    std::fputs(table.c_str(), stdout);
}

} // namespace weft::tool
