#include "graph_command.hpp"
#include "output_option.hpp"

#include <weft/core/error.hpp>
#include <weft/graph/bfs.hpp>
#include <weft/io/write_text.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

class bfs_command final : public graph_command {
public:
    explicit bfs_command(CLI::App& app)
        : graph_command(app,
              {.name = "bfs",
                  .description = "Distances of all vertices from one, by breadth-first search",
                  .footer = "The graph is seen as undirected and simple, unless --directed. `widest_level` "
                            "of the report is the distance that most vertices have, and how many these "
                            "are; `levels` says how many vertices are at distance 0, 1, 2, ...\n"
                            "Example:\n  weft -n 4 bfs roads.gr.xz --source 1 --distances distances.txt"}) {
        parser_->add_option("--source", source_, "The vertex to start from, by its id in the file")
            ->required();
        parser_->add_flag("--directed", directed_,
            "Go along arcs, from the first vertex of a line to the "
            "second; edges of undirected files both ways");
        names_output(parser_->add_option("--distances", distances_,
            "Write `original-id distance` a line, the distance being -1 where a vertex was not reached"));
    }

private:
    void compute(edge_list edges, session const& now) override {
        now.progress.phase("building the graph");
        bool const along_arcs = directed_ && edges.directed;
        arc_graph const graph(
            now.comm, std::move(edges), along_arcs ? arc_direction::forward : arc_direction::both);
        now.watch.lap("build");

        now.progress.phase("searching");
        global_id const source = graph.vertices().find(source_);
        if (source < 0) throw usage_error("--source " + source_ + ": the graph has no such vertex");
        bfs_distances const found = find_distances(graph, source);
        now.watch.lap("compute");

        auto& options = now.report["options"];
        options["source"] = original_id_as_json(graph.vertices(), source);
        options["directed"] = directed_;
        auto& result = now.report["result"];
        result["vertices"] = graph.vertex_count();
        if (along_arcs)
            result["arcs"] = graph.arc_count();
        else
            result["edges"] = graph.arc_count() / 2;
        result["loops"] = graph.loop_count();
        result["reached"] = found.reached;
        result["eccentricity"] = found.eccentricity;
        result["sum_of_distances"] = found.sum_of_distances;
        result["widest_level"] = {
            found.widest_level, found.levels[static_cast<std::size_t>(found.widest_level)]};
        result["levels"] = found.levels;
        if (distances_.empty()) return;

        now.progress.phase("writing distances");
        options["distances"] = distances_;
        std::string text;
        for (std::size_t i = 0; i < found.distance.size(); ++i)
            fmt::format_to(std::back_inserter(text), "{} {}\n",
                graph.vertices().original_id(static_cast<std::int64_t>(i)), found.distance[i]);
        write_text(now.comm, distances_, text);
        now.watch.lap("write");
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const number = [&](char const* name) { return grouped(result[name].get<std::int64_t>()); };
        char const* const lines = result.contains("arcs") ? "arcs" : "edges";
        auto const reached = result["reached"].get<double>();
        return table_row("vertices", number("vertices")) +
               table_row(lines, fmt::format("{} ({} loops dropped)", number(lines), number("loops"))) +
               table_row("source", source_) + table_row("reached", number("reached")) +
               table_row("eccentricity", number("eccentricity")) +
               table_row("mean distance",
                   fmt::format("{:.2f}", result["sum_of_distances"].get<double>() / reached)) +
               "\n" + draw_levels(result["levels"].get<std::vector<std::int64_t>>());
    }

    std::string source_;
    bool directed_ = false;
    std::string distances_;
};

} // namespace

std::unique_ptr<command> make_bfs(CLI::App& app) {
    return std::make_unique<bfs_command>(app);
}

} // namespace weft::tool
