#include "component_output.hpp"
#include "graph_command.hpp"
#include "output_option.hpp"

#include <weft/graph/strong_components.hpp>
#include <weft/io/write_text.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

class scc_command final : public graph_command {
public:
    explicit scc_command(CLI::App& app)
        : graph_command(app,
              {.name = "scc",
                  .description = "Strongly connected components of a directed graph",
                  .footer =
                      "Two vertices are together where each reaches the other along arcs, from the first "
                      "vertex of a line to the second (MatrixMarket: from row to column). Edges of "
                      "undirected files go both ways; loops and duplicates are dropped.\n"
                      "Example:\n  weft -n 4 scc votes.txt --labels labels.txt"}) {
        names_output(parser_->add_option("--labels", labels_,
            "Write `original-id label` a line, the label being the smallest original id of the component"));
        names_output(parser_->add_option(
            "--sizes", sizes_, "Write `label size` a line for each component, in the order of labels"));
    }

private:
    void compute(edge_list edges, session const& now) override {
        now.progress.phase("building the graph");
        bool const directed = edges.directed;
        arc_graph const graph(
            now.comm, std::move(edges), directed ? arc_direction::forward : arc_direction::both);
        now.watch.lap("build");

        now.progress.phase("finding components");
        strong_component_labels const found = find_strong_components(graph, {.seed = seed()});
        now.watch.lap("compute");

        auto& result = now.report["result"];
        result["vertices"] = graph.vertex_count();
        result["arcs"] = graph.arc_count();
        result["loops"] = graph.loop_count();
        result["components"] = found.components;
        result["trivial"] = found.trivial;
        result["largest"] = found.largest;
        if (labels_.empty() && sizes_.empty()) return;
        now.progress.phase("writing components");
        if (!labels_.empty()) {
            now.report["options"]["labels"] = labels_;
            write_text(now.comm, labels_, labels_as_text(graph.vertices(), found.label));
        }
        if (!sizes_.empty()) {
            now.report["options"]["sizes"] = sizes_;
            write_text(now.comm, sizes_, sizes_as_text(graph.vertices(), found.label));
        }
        now.watch.lap("write");
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const number = [&](char const* name) { return result[name].get<std::int64_t>(); };
        std::string rows =
            table_row("vertices", grouped(number("vertices"))) +
            table_row("arcs",
                fmt::format("{} ({} loops dropped)", grouped(number("arcs")), grouped(number("loops")))) +
            table_row("strong components", grouped(number("components"))) +
            table_row("of one vertex", grouped(number("trivial"))) + "\n  largest components\n";
        int place = 0;
        for (auto const& size : result["largest"]) {
            double const share =
                static_cast<double>(size.get<std::int64_t>()) / static_cast<double>(number("vertices"));
            rows += fmt::format("  {:>4}  {:>13}  {:5.1f} %  {}\n", ++place,
                grouped(size.get<std::int64_t>()), 100 * share, bar(share, 40));
        }
        return rows;
    }

    std::string labels_;
    std::string sizes_;
};

} // namespace

std::unique_ptr<command> make_scc(CLI::App& app) {
    return std::make_unique<scc_command>(app);
}

} // namespace weft::tool
