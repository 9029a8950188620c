#include "graph_report.hpp"
#include "options/number_check.hpp"
#include "search_options.hpp"

#include <weft/graph/shortest_paths.hpp>

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace weft::tool {

namespace {

class sssp_command final : public graph_command {
public:
    explicit sssp_command(CLI::App& app) : graph_command(app, "sssp") {
        search_.add_to(*parser_, "inf", search_options::sources::one);
        parser_
            ->add_option("--delta", delta_,
                "Width of a bucket of distances in the delta-stepping algorithm, which affects only the "
                "running time (default: chosen by the weights and the number of edges)")
            ->check(above_zero());
        parser_->add_option("--random-weights", random_weights_,
            "Give edges random weights, above 0 and at most 1, which are drawn with this seed; weights in "
            "the file are not read");
    }

private:
    [[nodiscard]] edge_values values() const override {
        return random_weights_ ? edge_values::none : edge_values::lengths;
    }

    void compute(asked_graph& asked, session const& now) override {
        bool const weighted = asked.weighted();
        arc_graph const& graph =
            build_graph(now, asked, search_.along(), arc_weights::lightest, random_weights_);

        now.progress.phase("searching");
        global_id const source = search_.sources_in(asked.vertices()).front();
        path_lengths const found = find_shortest_paths(graph, source, {.delta = delta_});
        now.watch.lap("compute");

        search_.report(now.report, asked.vertices(), graph, std::span(&source, 1));
        auto& options = now.report["options"];
        options["delta"] = found.delta;
        options["weights"] = random_weights_ ? "random" : weighted ? "file" : "unit";
        if (random_weights_) options["random_weights"] = *random_weights_;
        auto& result = now.report["result"];
        result["reached"] = found.reached;
        result["longest"] = found.longest;
        result["sum_of_distances"] = found.sum_of_distances;
        search_.report_path(now, asked.vertices(), graph, source, found);
        now.report["work"] = {{"buckets", found.buckets}, {"exchanges", found.exchanges}};
        search_.write(now, asked.vertices(), std::span(found.distance));
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        return rows_of_graph(result) + table_row("weights", report["options"]["weights"].get<std::string>()) +
               count_row("reached", result["reached"]) +
               table_row("longest path", fmt::format("{:.9g}", result["longest"].get<double>())) +
               table_row(
                   "sum of distances", fmt::format("{:.9g}", result["sum_of_distances"].get<double>())) +
               table_row("buckets", fmt::format("{} of {:.4g}, in {} exchanges",
                                        grouped(report["work"]["buckets"].get<std::int64_t>()),
                                        report["options"]["delta"].get<double>(),
                                        grouped(report["work"]["exchanges"].get<std::int64_t>()))) +
               search_options::rows_of_path(result);
    }

    search_options search_;
    double delta_ = 0;
    std::optional<std::uint64_t> random_weights_;
};

} // namespace

std::unique_ptr<command> make_sssp(CLI::App& app) {
    return std::make_unique<sssp_command>(app);
}

} // namespace weft::tool
