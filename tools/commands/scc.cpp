#include "component_output.hpp"
#include "graph_command.hpp"
#include "graph_report.hpp"

#include <weft/graph/strong_components.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

class scc_command final : public graph_command {
public:
    explicit scc_command(CLI::App& app)
        : graph_command(app,
              {.name = "scc",
                  .footer =
                      "Two vertices are together where each reaches the other along arcs, from the first "
                      "vertex of a line to the second (MatrixMarket: from row to column). Edges of "
                      "undirected files go both ways; loops and duplicates are dropped."}) {
        files_.add_to(*parser_);
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
        if (files_.none()) return;
        now.progress.phase("writing components");
        files_.write(graph.vertices(), found.label, now.report["options"]);
        now.watch.lap("write");
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const number = [&](char const* name) { return result[name].get<std::int64_t>(); };
        return rows_of_graph(result) + table_row("strong components", grouped(number("components"))) +
               table_row("of one vertex", grouped(number("trivial"))) + table_of_largest(result);
    }

    component_files files_;
};

} // namespace

std::unique_ptr<command> make_scc(CLI::App& app) {
    return std::make_unique<scc_command>(app);
}

} // namespace weft::tool
