#include "graph_report.hpp"
#include "search_options.hpp"

#include <weft/graph/bfs.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

class bfs_command final : public graph_command {
public:
    explicit bfs_command(CLI::App& app) : graph_command(app, "bfs") {
        search_.add_to(*parser_, "-1", search_options::sources::several);
    }

private:
    void compute(asked_graph& asked, session const& now) override {
        arc_graph const& graph = build_graph(now, asked, search_.along());

        now.progress.phase("searching");
        std::vector<global_id> const sources = search_.sources_in(asked.vertices());
        bfs_distances const found = find_distances(graph, sources);
        now.watch.lap("compute");

        search_.report(now.report, asked.vertices(), graph, sources);
        auto& result = now.report["result"];
        result["reached"] = found.reached;
        result["eccentricity"] = found.eccentricity;
        result["sum_of_distances"] = found.sum_of_distances;
        result["widest_level"] = {
            found.widest_level, found.levels[static_cast<std::size_t>(found.widest_level)]};
        result["levels"] = found.levels;
        search_.report_path(now, asked.vertices(), graph, sources, found);
        search_.write(now, asked.vertices(), std::span(found.distance));
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const reached = result["reached"].get<double>();
        return rows_of_graph(result) + table_row("source", search_.source_names()) +
               count_row("reached", result["reached"]) + count_row("eccentricity", result["eccentricity"]) +
               table_row("mean distance",
                   fmt::format("{:.2f}", result["sum_of_distances"].get<double>() / reached)) +
               search_options::rows_of_path(result) + "\n" +
               draw_levels(result["levels"].get<std::vector<std::int64_t>>());
    }

    search_options search_;
};

} // namespace

std::unique_ptr<command> make_bfs(CLI::App& app) {
    return std::make_unique<bfs_command>(app);
}

} // namespace weft::tool
