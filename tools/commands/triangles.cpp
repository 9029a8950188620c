#include "graph_command.hpp"
#include "graph_report.hpp"
#include "vertex_values.hpp"

#include <weft/graph/clustering.hpp>
#include <weft/graph/triangles.hpp>

#include <vector>

namespace weft::tool {

namespace {

class triangles_command final : public graph_command {
public:
    explicit triangles_command(CLI::App& app) : graph_command(app, "triangles") {
        values_.add_to(*parser_, "triangles");
    }

private:
    void compute(asked_graph& asked, session const& now) override {
        bool const of_vertices = parser_->count("--out") + parser_->count("--top") > 0;
        if (of_vertices)
            count_for_vertices(asked, now);
        else
            count_all(asked, now);
    }

    static void count_all(asked_graph& asked, session const& now) {
        now.progress.phase("building the graph");
        simple_graph const& graph = asked.simple();
        now.watch.lap("build");

        now.progress.phase("counting triangles");
        std::int64_t const found = count_triangles(graph);
        now.watch.lap("compute");
        auto& result = now.report["result"];
        result["vertices"] = graph.vertex_count();
        result["edges"] = graph.edge_count();
        result["loops"] = graph.loop_count();
        result["triangles"] = found;
    }

    void count_for_vertices(asked_graph& asked, session const& now) const {
        arc_graph const& graph = build_graph(now, asked, arc_direction::both);

        now.progress.phase("counting triangles");
        clustering_coefficients const found = find_clustering(graph);
        now.watch.lap("compute");
        report_graph(now.report["result"], graph);
        now.report["result"]["triangles"] = found.triangles;
        std::vector<std::int64_t> counts = found.links;
        for (std::int64_t& each : counts) each /= 2; // arcs between neighbours, there and back
        values_.report(now, asked.vertices(), std::span<std::int64_t const>(counts));
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        return rows_of_graph(result) + count_row("triangles", result["triangles"]) +
               (result.contains("top") ? vertex_values::table_of_top(result) : "");
    }

    vertex_values values_;
};

} // namespace

std::unique_ptr<command> make_triangles(CLI::App& app) {
    return std::make_unique<triangles_command>(app);
}

} // namespace weft::tool
