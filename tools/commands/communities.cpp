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
    explicit communities_command(CLI::App& app) : graph_command(app, "communities") {
        parser_->add_flag("--directed", directed_,
            "If the file is directed, count the two directions of an edge separately");
        add_preset(*parser_, "--max-iterations", options_.max_iterations,
            "Largest number of iterations; the command stops earlier if no label changes", at_least(0));
        files_.add_to(*parser_, "community", "an original id");
    }

private:
    void compute(asked_graph& asked, session const& now) override {
        arc_graph const& graph =
            build_graph(now, asked, directed_ ? arc_direction::forward : arc_direction::both);

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
        files_.write(now, asked.vertices(), found.label);
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        return rows_of_graph(result) + count_row("communities", result["communities"]) +
               iterations_row(result) + table_of_largest(result, "communities");
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
