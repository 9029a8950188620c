#include "graph_command.hpp"
#include "graph_report.hpp"
#include "vertex_values.hpp"

#include <weft/graph/betweenness.hpp>

namespace weft::tool {

namespace {

class betweenness_command final : public graph_command {
public:
    explicit betweenness_command(CLI::App& app) : graph_command(app, "betweenness") {
        parser_->add_flag("--directed", directed_,
            "Follow edges only from the first vertex of a line to the second; edges of undirected files are "
            "followed in both directions");
        parser_
            ->add_option("--sources", options_.sources,
                "Number of random vertices whose shortest paths are computed (default: all vertices)")
            ->check(at_least(1));
        parser_->add_flag("--normalized", options_.normalized,
            "Divide each value by the number of pairs of other vertices");
        values_.add_to(*parser_, "betweenness");
    }

private:
    void compute(asked_graph& asked, session const& now) override {
        arc_graph const& graph =
            build_graph(now, asked, directed_ ? arc_direction::forward : arc_direction::both);

        now.progress.phase("following paths");
        options_.seed = seed();
        betweenness_values const found = find_betweenness(graph, options_);
        now.watch.lap("compute");

        auto& options = now.report["options"];
        options["directed"] = directed_;
        options["normalized"] = options_.normalized;
        auto& result = now.report["result"];
        report_graph(result, graph);
        result["sources"] = found.sources;
        now.report["work"]["batches"] = found.batches;
        values_.report(now, asked.vertices(), std::span(found.value));
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        return rows_of_graph(result) + count_row("sources", result["sources"]) +
               vertex_values::table_of_top(result);
    }

    betweenness_options options_;
    vertex_values values_;
    bool directed_ = false;
};

} // namespace

std::unique_ptr<command> make_betweenness(CLI::App& app) {
    return std::make_unique<betweenness_command>(app);
}

} // namespace weft::tool
