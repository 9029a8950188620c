#include "graph_command.hpp"
#include "graph_report.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "vertex_values.hpp"

#include <weft/core/error.hpp>
#include <weft/graph/pagerank.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

class pagerank_command final : public graph_command {
public:
    explicit pagerank_command(CLI::App& app) : graph_command(app, "pagerank") {
        parser_->add_flag("--weighted", weighted_,
            "Follow edges in proportion to their weights in the file; the weights of duplicate edges are "
            "summed");
        parser_
            ->add_option("--damping", options_.damping,
                "Damping factor, below 1: the fraction of its value that a vertex passes on along its edges")
            ->capture_default_str();
        parser_
            ->add_option("--tolerance", options_.tolerance,
                "Stop when the changes of all values in an iteration sum to less than this number")
            ->capture_default_str();
        add_preset(*parser_, "--max-iterations", options_.max_iterations, "The most iterations", at_least(0));
        parser_
            ->add_option("--personalization", wanted_,
                "Vertices to which random jumps lead, in place of all vertices: ID, or ID=WEIGHT (default "
                "weight: 1)")
            ->type_name("ID[=WEIGHT]");
        names_table(parser_->add_option("--out", out_,
            std::string("Write a line `original-id value` for each vertex") + label_rows_help));
    }

private:
    [[nodiscard]] edge_values values() const override {
        return weighted_ ? edge_values::required_lengths : edge_values::none;
    }

    void compute(asked_graph& asked, session const& now) override {
        if (weighted_ && !asked.weighted())
            throw usage_error("--weighted: " + now.report["input"]["graph"].get<std::string>() +
                              " has no weights (an edge list has them in the third column)");
        arc_graph const& graph = build_graph(
            now, asked, arc_direction::backward, weighted_ ? arc_weights::sum : arc_weights::none);

        now.progress.phase("iterating");
        options_.personalization = personalization(asked.vertices());
        pagerank_values const found = find_pagerank(graph, options_);
        now.watch.lap("compute");

        auto& options = now.report["options"];
        options["weighted"] = weighted_;
        options["damping"] = options_.damping;
        options["tolerance"] = options_.tolerance;
        options["max_iterations"] = options_.max_iterations;
        if (!wanted_.empty()) options["personalization"] = wanted_;
        auto& result = now.report["result"];
        report_arcs(result, graph);
        result["iterations"] = found.iterations;
        result["converged"] = found.converged;
        result["min"] = found.least;
        vertex_values::add_top(now, asked.vertices(), found.top);
        vertex_values::write_to(out_, "value", now, asked.vertices(), std::span(found.value));
    }

    [[nodiscard]] std::vector<ranked_vertex> personalization(vertex_set const& vertices) const {
        std::vector<ranked_vertex> list;
        for (std::string const& each : wanted_) {
            std::string id = each;
            double weight = 1;
            if (auto const sign = each.rfind('='); sign != std::string::npos) {
                id = each.substr(0, sign);
                if (!CLI::detail::lexical_cast(each.substr(sign + 1), weight))
                    throw usage_error("--personalization: " + each + ": expected a number behind =");
            }
            global_id const vertex = vertices.find(id);
            if (vertex < 0) throw usage_error("--personalization: the graph has no vertex " + id);
            list.push_back({vertex, weight});
        }
        return list;
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        return rows_of_graph(result) + iterations_row(result) +
               table_row("least value", fmt::format("{:.6g}", result["min"].get<double>())) +
               vertex_values::table_of_top(result);
    }

    pagerank_options options_;
    std::string out_;
    std::vector<std::string> wanted_; // of the personalization
    bool weighted_ = false;
};

} // namespace

std::unique_ptr<command> make_pagerank(CLI::App& app) {
    return std::make_unique<pagerank_command>(app);
}

} // namespace weft::tool
