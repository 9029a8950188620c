#include "graph_command.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "report/label_rows.hpp"

#include <weft/core/error.hpp>
#include <weft/graph/pagerank.hpp>
#include <weft/io/write_text.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

class pagerank_command final : public graph_command {
public:
    explicit pagerank_command(CLI::App& app)
        : graph_command(app,
              {.name = "pagerank",
                  .footer = "Along arcs where the file is directed (MatrixMarket general: from row to "
                            "column; edge lists: from the first to the second), both ways else; loops and "
                            "duplicates are dropped. What is at vertices that no arc leaves is spread "
                            "evenly. Values are the same to the last bit at any number of ranks."}) {
        parser_->add_flag("--weighted", weighted_,
            "Follow an arc in proportion to its weight in the file, of duplicates the sum");
        parser_->add_option("--damping", options_.damping, "The share of a value that follows arcs; below 1")
            ->capture_default_str();
        parser_
            ->add_option("--tolerance", options_.tolerance,
                "Stop when an iteration changes the values by less, in all")
            ->capture_default_str();
        add_preset(
            *parser_, "--max-iterations", options_.max_iterations, "Stop then at the latest", at_least(0));
        names_output(parser_->add_option(
            "--out", out_, std::string("Write `original-id value` a line") + label_rows_help));
    }

private:
    [[nodiscard]] edge_values values() const override {
        return weighted_ ? edge_values::required_lengths : edge_values::none;
    }

    void compute(edge_list edges, session const& now) override {
        now.progress.phase("building the graph");
        bool const directed = edges.directed;
        if (weighted_ && !edges.weighted)
            throw usage_error("--weighted: " + now.report["input"]["graph"].get<std::string>() +
                              " has no weights (an edge list has them in the third column)");
        arc_graph const graph(now.comm, std::move(edges),
            directed ? arc_direction::backward : arc_direction::both,
            weighted_ ? arc_weights::sum : arc_weights::none);
        now.watch.lap("build");

        now.progress.phase("iterating");
        pagerank_values const found = find_pagerank(graph, options_);
        now.watch.lap("compute");

        auto& options = now.report["options"];
        options["weighted"] = weighted_;
        options["damping"] = options_.damping;
        options["tolerance"] = options_.tolerance;
        options["max_iterations"] = options_.max_iterations;
        auto& result = now.report["result"];
        result["vertices"] = graph.vertex_count();
        result["arcs"] = graph.arc_count();
        result["loops"] = graph.loop_count();
        result["iterations"] = found.iterations;
        result["converged"] = found.converged;
        result["min"] = found.least;
        // The ids of the top are asked for once, not by every rank.
        std::vector<global_id> asked;
        for (ranked_vertex const& each : found.top)
            if (now.comm.rank() == 0) asked.push_back(each.vertex);
        auto const ids = original_ids_as_json(graph.vertices(), asked);
        auto& top = result["top"] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < ids.size(); ++i)
            top.push_back({{"vertex", ids[i]}, {"value", found.top[i].value}});
        if (out_.empty()) return;

        now.progress.phase("writing values");
        options["out"] = out_;
        std::string text;
        label_rows const rows(graph.vertices(), out_);
        for (std::size_t i = 0; i < found.value.size(); ++i)
            rows.append(text, {graph.vertices().original_id(static_cast<std::int64_t>(i)),
                                  fmt::format("{}", found.value[i])});
        write_text(now.comm, out_, text);
        now.watch.lap("write");
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const number = [&](char const* name) { return grouped(result[name].get<std::int64_t>()); };
        std::string rows =
            table_row("vertices", number("vertices")) +
            table_row("arcs", fmt::format("{} ({} loops dropped)", number("arcs"), number("loops"))) +
            table_row("iterations",
                number("iterations") + (result["converged"].get<bool>() ? "" : " (not converged)")) +
            table_row("least value", fmt::format("{:.6g}", result["min"].get<double>())) +
            "\n  largest values\n";
        double const most = result["top"].empty() ? 1 : result["top"][0]["value"].get<double>();
        int place = 0;
        for (auto const& each : result["top"]) {
            auto const& vertex = each["vertex"];
            auto const value = each["value"].get<double>();
            rows += fmt::format("  {:>4}  {:>20}  {:<12.6g}  {}\n", ++place,
                vertex.is_string() ? vertex.get<std::string>() : vertex.dump(), value,
                last_bar(value / most, 44));
        }
        return rows;
    }

    pagerank_options options_;
    std::string out_;
    bool weighted_ = false;
};

} // namespace

std::unique_ptr<command> make_pagerank(CLI::App& app) {
    return std::make_unique<pagerank_command>(app);
}

} // namespace weft::tool
