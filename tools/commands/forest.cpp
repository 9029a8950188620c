#include "graph_command.hpp"
#include "graph_report.hpp"
#include "options/output_option.hpp"
#include "report/label_rows.hpp"

#include <weft/graph/spanning_forest.hpp>

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace weft::tool {

namespace {

class forest_command final : public graph_command {
public:
    explicit forest_command(CLI::App& app) : graph_command(app, "forest", edge_values::weights) {
        parser_->add_option("--random-weights", random_weights_,
            "Give edges random weights, above 0 and at most 1, which are drawn with this seed; weights in "
            "the file are not read");
        names_table(parser_->add_option("--edges", edges_,
            std::string("Write a line `original-id original-id weight` for each edge of the forest") +
                label_rows_help + ". A .tsv file of this command is an edge list without a header"));
    }

private:
    [[nodiscard]] edge_values values() const override {
        return random_weights_ ? edge_values::none : edge_values::weights;
    }

    void compute(asked_graph& asked, session const& now) override {
        bool const weighted = asked.weighted();
        arc_graph const& graph = build_graph(now, asked, arc_direction::both,
            weighted ? arc_weights::lightest : arc_weights::none, random_weights_);

        now.progress.phase("joining trees");
        spanning_forest const found = find_spanning_forest(graph);
        now.watch.lap("compute");

        auto& options = now.report["options"];
        options["weights"] = random_weights_ ? "random" : weighted ? "file" : "unit";
        if (random_weights_) options["random_weights"] = *random_weights_;
        auto& result = now.report["result"];
        report_graph(result, graph);
        result["forest_edges"] = found.edge_count;
        result["trees"] = found.trees;
        result["weight"] = found.weight;
        now.report["work"]["rounds"] = found.rounds;
        if (edges_.empty()) return;

        now.progress.phase("writing edges");
        options["edges"] = edges_;
        write_edges(now, asked.vertices(), found.edges);
        now.watch.lap("write");
    }

    void write_edges(
        session const& now, vertex_set const& vertices, std::vector<forest_edge> const& edges) const {
        label_rows rows(vertices, edges_,
            {{"from", column_kind::words}, {"to", column_kind::words}, {"weight", column_kind::real}}, true);
        std::vector<global_id> ends;
        for (forest_edge const& each : edges) ends.push_back(each.upper);
        auto const names = vertices.original_ids(ends);
        for (std::size_t i = 0; i < edges.size(); ++i)
            rows.append({vertices.original_id(edges[i].lower - vertices.first_local()), names[i],
                fmt::format("{}", edges[i].weight)});
        rows.write(now.comm);
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        return rows_of_graph(result) + table_row("weights", report["options"]["weights"].get<std::string>()) +
               count_row("in the forest", result["forest_edges"]) + count_row("trees", result["trees"]) +
               table_row("weight", fmt::format("{:.9g}", result["weight"].get<double>()));
    }

    std::optional<std::uint64_t> random_weights_;
    std::string edges_;
};

} // namespace

std::unique_ptr<command> make_forest(CLI::App& app) {
    return std::make_unique<forest_command>(app);
}

} // namespace weft::tool
