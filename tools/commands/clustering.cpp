#include "graph_command.hpp"
#include "graph_report.hpp"
#include "vertex_values.hpp"

#include <weft/graph/clustering.hpp>

namespace weft::tool {

namespace {

class clustering_command final : public graph_command {
public:
    explicit clustering_command(CLI::App& app) : graph_command(app, "clustering") {
        parser_->add_flag("--directed", directed_,
            "If the file is directed, count the two directions of an edge separately");
        values_.add_to(*parser_, "coefficient");
    }

private:
    void compute(asked_graph& asked, session const& now) override {
        arc_graph const& graph =
            build_graph(now, asked, directed_ ? arc_direction::forward : arc_direction::both);

        now.progress.phase("counting triangles");
        clustering_coefficients const found = find_clustering(graph);
        now.watch.lap("compute");

        now.report["options"]["directed"] = directed_;
        auto& result = now.report["result"];
        report_graph(result, graph);
        result["triangles"] = found.triangles;
        result["wedges"] = found.wedges;
        result["transitivity"] = found.transitivity;
        result["mean"] = found.mean;
        values_.report(now, asked.vertices(), std::span(found.coefficient));
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        return rows_of_graph(result) + count_row("triangles", result["triangles"]) +
               table_row("transitivity", fmt::format("{:.6g}", result["transitivity"].get<double>())) +
               table_row("mean", fmt::format("{:.6g}", result["mean"].get<double>())) +
               vertex_values::table_of_top(result);
    }

    vertex_values values_;
    bool directed_ = false;
};

} // namespace

std::unique_ptr<command> make_clustering(CLI::App& app) {
    return std::make_unique<clustering_command>(app);
}

} // namespace weft::tool
