#include "graph_command.hpp"
#include "graph_report.hpp"
#include "vertex_values.hpp"

#include <weft/graph/core_numbers.hpp>

namespace weft::tool {

namespace {

class cores_command final : public graph_command {
public:
    explicit cores_command(CLI::App& app) : graph_command(app, "cores") {
        values_.add_to(*parser_, "core-number");
    }

private:
    void compute(asked_graph& asked, session const& now) override {
        arc_graph const& graph = build_graph(now, asked, arc_direction::both);

        now.progress.phase("peeling");
        core_numbers const found = find_core_numbers(graph);
        now.watch.lap("compute");

        auto& result = now.report["result"];
        report_graph(result, graph);
        result["degeneracy"] = found.largest;
        auto& histogram = result["histogram"] = nlohmann::ordered_json::object();
        for (auto const& [core, vertices] : found.histogram) histogram[std::to_string(core)] = vertices;
        now.report["work"]["exchanges"] = found.exchanges;
        values_.report(now, asked.vertices(), std::span(found.core));
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        return rows_of_graph(result) + count_row("degeneracy", result["degeneracy"]) +
               vertex_values::table_of_top(result);
    }

    vertex_values values_;
};

} // namespace

std::unique_ptr<command> make_cores(CLI::App& app) {
    return std::make_unique<cores_command>(app);
}

} // namespace weft::tool
