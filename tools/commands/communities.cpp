#include "component_output.hpp"
#include "graph_command.hpp"
#include "graph_report.hpp"
#include "options/number_check.hpp"
#include "options/preset.hpp"

#include <weft/graph/communities.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

class communities_command final : public graph_command {
public:
    explicit communities_command(CLI::App& app)
        : graph_command(app,
              {.name = "communities",
                  .footer = "Label propagation as LDBC Graphalytics defines it (CDLP): each vertex begins "
                            "with its own id, and all at once take the label that most of their neighbours "
                            "have, the smallest of several. The graph is seen as undirected and simple; "
                            "with --directed, a neighbour counts twice to which arcs lead both ways."}) {
        parser_->add_flag("--directed", directed_, "Count arcs of directed files, each direction apart");
        add_preset(*parser_, "--max-iterations", options_.max_iterations,
            "Stop then at the latest, and before where no label changes", at_least(0));
        files_.add_to(*parser_, "community", "an original id");
    }

private:
    void compute(edge_list edges, session const& now) override {
        now.progress.phase("building the graph");
        bool const along_arcs = directed_ && edges.directed;
        arc_graph const graph(
            now.comm, std::move(edges), along_arcs ? arc_direction::forward : arc_direction::both);
        now.watch.lap("build");

        now.progress.phase("propagating labels");
        community_labels const found = find_communities(graph, options_);
        now.watch.lap("compute");

        auto& options = now.report["options"];
        options["directed"] = directed_;
        options["max_iterations"] = options_.max_iterations;
        auto& result = now.report["result"];
        report_graph(result, graph);
        result["communities"] = found.communities;
        result["iterations"] = found.iterations;
        result["converged"] = found.converged;
        result["largest"] = found.largest;
        if (files_.none()) return;
        now.progress.phase("writing labels");
        files_.write(graph.vertices(), found.label, options);
        now.watch.lap("write");
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const number = [&](char const* name) { return grouped(result[name].get<std::int64_t>()); };
        return rows_of_graph(result) + table_row("communities", number("communities")) +
               table_row("iterations",
                   number("iterations") + (result["converged"].get<bool>() ? "" : " (not converged)")) +
               table_of_largest(result, "communities");
    }

    communities_options options_;
    component_files files_;
    bool directed_ = false;
};

} // namespace

std::unique_ptr<command> make_communities(CLI::App& app) {
    return std::make_unique<communities_command>(app);
}

} // namespace weft::tool
