#include "graph_input.hpp"

#include <weft/graph/components.hpp>
#include <weft/io/write_text.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace weft::tool {

namespace {

class components_command final : public command {
public:
    explicit components_command(CLI::App& app) {
        parser_ = app.add_subcommand("components", "Connected components of a graph");
        parser_->footer(
            "The graph is seen as undirected and simple: directions are forgotten, loops and "
            "duplicate edges dropped. A rectangular matrix is a bipartite graph of rows and columns.");
        graph_.add_to(*parser_);
        parser_->add_option("--labels", labels_,
            "Write `original-id label` a line, the label being the smallest original id of the component");
        common_.add_to(*parser_);
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        counters const before = counters_of(comm);
        auto report = make_report("components", comm);
        progress_line progress(common_.progress, comm.rank());
        stopwatch watch(comm);
        simple_graph const graph = load_graph(comm, graph_, common_, progress, watch, report);

        progress.phase("finding components");
        components_options options;
        options.seed = common_.seed;
        component_labels const found = find_components(graph, options);
        watch.lap("compute");

        auto& result = report["result"];
        result["vertices"] = graph.vertex_count();
        result["edges"] = graph.edge_count();
        result["loops"] = graph.loop_count();
        result["components"] = found.components;
        result["isolated"] = found.isolated;
        result["largest"] = found.largest;
        if (!labels_.empty()) {
            progress.phase("writing labels");
            report["options"]["labels"] = labels_;
            write_labels(graph, found);
            watch.lap("write");
        }
        report["seconds"] = watch.seconds();
        report["traffic"] = traffic_since(comm, before);
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table()) print(report);
    }

private:
    void write_labels(simple_graph const& graph, component_labels const& found) const {
        std::vector<global_id> mine(found.label.size());
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = graph.first_vertex() + static_cast<global_id>(i);
        auto const ids = graph.original_ids(mine);
        auto const labels = graph.original_ids(found.label);
        std::string text;
        for (std::size_t i = 0; i < ids.size(); ++i)
            text.append(ids[i]).append(" ").append(labels[i]).append("\n");
        write_text(graph.comm(), labels_, text);
    }

    void print(nlohmann::ordered_json const& report) const {
        auto const& result = report["result"];
        auto const number = [&](char const* name) { return result[name].get<std::int64_t>(); };
        std::string table = table_head(report, graph_.short_name());
        table += table_row("format", report["input"]["format"].get<std::string>());
        table += table_row("vertices", grouped(number("vertices")));
        table += table_row("edges",
            fmt::format("{} ({} loops dropped)", grouped(number("edges")), grouped(number("loops"))));
        table += table_row("components", grouped(number("components")));
        table += table_row("isolated", grouped(number("isolated")));
        table += "\n  largest components\n";
        int place = 0;
        for (auto const& size : result["largest"]) {
            double const share =
                static_cast<double>(size.get<std::int64_t>()) / static_cast<double>(number("vertices"));
            table += fmt::format("  {:>4}  {:>13}  {:5.1f} %  {}\n", ++place,
                grouped(size.get<std::int64_t>()), 100 * share, bar(share, 40));
        }
        table += table_foot(report);
        std::fputs(table.c_str(), stdout);
    }

    graph_argument graph_;
    std::string labels_;
    common_options common_;
};

} // namespace

std::unique_ptr<command> make_components(CLI::App& app) {
    return std::make_unique<components_command>(app);
}

} // namespace weft::tool
