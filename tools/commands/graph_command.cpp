#include "graph_command.hpp"

#include <cstdio>

namespace weft::tool {

graph_command::graph_command(CLI::App& app, words const& said, edge_values values)
    : name_(said.name), values_(values) {
    parser_ = app.add_subcommand(said.name, said.description);
    parser_->footer(said.footer);
    graph_.add_to(*parser_, said.subject);
    common_.add_to(*parser_);
}

void graph_command::run(environment const& env) {
    communicator const comm = env.world();
    counters const before = counters_of(comm);
    auto report = make_report(name_, comm);
    progress_line progress(common_.progress, comm);
    stopwatch watch(comm);
    edge_list edges = load_edges(comm, graph_, values(), common_, progress, watch, report);

    compute(std::move(edges), {comm, progress, watch, report});
    report["seconds"] = watch.seconds();
    report["traffic"] = traffic_since(comm, before);
    write_report(comm, report, common_.json);
    if (comm.rank() != 0 || !common_.shows_table()) return;

    std::string table = table_head(report, graph_.short_name());
    table += table_row("format", report["input"]["format"].get<std::string>());
    table += describe(report) + table_foot(report);
    print(table);
}

} // namespace weft::tool
