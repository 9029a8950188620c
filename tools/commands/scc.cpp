#include "component_output.hpp"
#include "graph_command.hpp"
#include "graph_report.hpp"

#include <weft/graph/strong_components.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

class scc_command final : public graph_command {
public:
    explicit scc_command(CLI::App& app) : graph_command(app, "scc") { files_.add_to(*parser_); }

private:
    void compute(asked_graph& asked, session const& now) override {
        arc_graph const& graph = build_graph(now, asked, arc_direction::forward);

        now.progress.phase("finding components");
        strong_component_labels const found = find_strong_components(graph, {.seed = seed()});
        now.watch.lap("compute");

        auto& result = now.report["result"];
        report_arcs(result, graph);
        result["components"] = found.components;
        result["trivial"] = found.trivial;
        result["largest"] = found.largest;
        files_.write(now, asked.vertices(), found.label);
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        return rows_of_graph(result) + count_row("strong components", result["components"]) +
               count_row("of one vertex", result["trivial"]) + table_of_largest(result);
    }

    component_files files_;
};

} // namespace

std::unique_ptr<command> make_scc(CLI::App& app) {
    return std::make_unique<scc_command>(app);
}

} // namespace weft::tool
