#include "graph_input.hpp"

#include <weft/graph/degrees.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace weft::tool {

namespace {

class degrees_command final : public command {
public:
    explicit degrees_command(CLI::App& app) {
        parser_ = app.add_subcommand("degrees", "Degrees of a graph and their distribution");
        parser_->footer(
            "The graph is seen as undirected and simple: directions are forgotten, loops and "
            "duplicate edges dropped. A rectangular matrix is a bipartite graph of rows and columns.");
        graph_.add_to(*parser_);
        common_.add_to(*parser_);
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        counters const before = counters_of(comm);
        auto report = make_report("degrees", comm);
        progress_line progress(common_.progress, comm.rank());
        stopwatch watch(comm);
        simple_graph const graph = load_graph(comm, graph_, common_, progress, watch, report);

        progress.phase("counting degrees");
        degree_summary const found = find_degrees(graph);
        watch.lap("compute");

        auto& result = report["result"];
        result["vertices"] = graph.vertex_count();
        result["edges"] = graph.edge_count();
        result["loops"] = graph.loop_count();
        result["max_degree"] = found.max_degree;
        result["max_vertex"] = original_id_as_json(graph, found.max_vertex);
        result["sum_squares"] = found.sum_squares;
        auto& histogram = result["histogram"] = nlohmann::ordered_json::object();
        for (auto const& [degree, vertices] : found.histogram) histogram[std::to_string(degree)] = vertices;
        report["seconds"] = watch.seconds();
        report["traffic"] = traffic_since(comm, before);
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table()) print(report, found);
    }

private:
    void print(nlohmann::ordered_json const& report, degree_summary const& found) const {
        auto const& result = report["result"];
        auto const number = [&](char const* name) { return result[name].get<std::int64_t>(); };
        double const vertices = static_cast<double>(std::max<std::int64_t>(number("vertices"), 1));
        std::string table = table_head(report, graph_.short_name());
        table += table_row("format", report["input"]["format"].get<std::string>());
        table += table_row("vertices", grouped(number("vertices")));
        table += table_row("edges",
            fmt::format("{} ({} loops dropped)", grouped(number("edges")), grouped(number("loops"))));
        table += table_row(
            "mean degree", fmt::format("{:.2f}", 2.0 * static_cast<double>(number("edges")) / vertices));
        if (found.max_vertex >= 0)
            table += table_row(
                "max degree", fmt::format("{} at vertex {}", grouped(found.max_degree),
                                  result["max_vertex"].is_string() ? result["max_vertex"].get<std::string>()
                                                                   : result["max_vertex"].dump()));
        table += "\n" + draw_degrees(found.histogram);
        table += table_foot(report);
        std::fputs(table.c_str(), stdout);
    }

    graph_argument graph_;
    common_options common_;
};

} // namespace

std::unique_ptr<command> make_degrees(CLI::App& app) {
    return std::make_unique<degrees_command>(app);
}

} // namespace weft::tool
