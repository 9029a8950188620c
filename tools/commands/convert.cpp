#include "graph_input.hpp"
#include "options/output_option.hpp"

#include <weft/graph/largest_component.hpp>
#include <weft/io/write_graph.hpp>
#include <weft/protocol/collectives.hpp>

#include <filesystem>
#include <utility>

namespace weft::tool {

namespace {

class convert_command final : public reporting_command {
public:
    explicit convert_command(CLI::App& app)
        : reporting_command(app, "convert",
              "Write a graph in another format, such as Weft's binary format, which is read fastest") {
        graph_.add_to(*parser_, "GRAPH");
        names_output(
            parser_->add_option("OUT", file_,
                "The file: .wgraph for Weft's binary format, .mtx for MatrixMarket, .txt, .el, .edges "
                "or .tsv for an edge list, .csv for CSV; - is an edge list on standard output"))
            ->required();
        parser_->add_flag("--no-weights", no_weights_,
            "Write no weights; needed for matrices of complex numbers, because graph files cannot contain "
            "complex numbers");
        parser_->add_flag("--largest-component", largest_,
            "Write only the edges of the largest component (directions are ignored). Vertices keep their "
            "ids, so the output cannot be a matrix");
        parser_->add_flag("--undirected", undirected_,
            "Ignore directions: write an undirected graph, or a symmetric matrix. Commands that ignore "
            "directions read an undirected .wgraph file faster");
        parser_->add_flag("--edges-only", edges_only_,
            "Write a list of the edges, in the order of the input, into the .wgraph file, instead of the "
            "neighbours of each vertex. For an undirected graph a list of edges takes half as much space as "
            "the neighbours of each vertex, but each command that reads the list must build the graph first");
        common_.add_to(*parser_);
        parser_->footer(
            "All commands on graphs read .wgraph files. A .wgraph file contains the neighbours of each "
            "vertex, and each rank reads the neighbours of its own vertices. If a matrix is rectangular, "
            "skew-symmetric or Hermitian, or if the input lists weighted edges once from each end, a list of "
            "the edges is written, as with --edges-only. A .wgraph file can be read only on machines with "
            "the same byte order, so it is not suitable for archives.\n");
    }

private:
    void compute(session const& now) override {
        edge_list edges =
            load_edges(now, graph_, no_weights_ ? edge_values::none : edge_values::weights, common_);
        if (!edges.weighted) edges.weights = {}; // which were 1
        if (undirected_) edges.directed = false;
        if (largest_) {
            now.progress.phase("finding the largest component");
            edges = keep_largest_component(now.comm, std::move(edges));
            now.watch.lap("compute");
        }
        now.progress.phase("writing " + file_);
        now.report["result"] = {
            {"edges", sum(now.comm, std::ssize(edges.edges))}, {"weighted", edges.weighted && !no_weights_}};
        if (edges.naming == vertex_naming::declared) now.report["result"]["vertices"] = edges.vertices;
        if (!edges_only_ && std::filesystem::path(file_).extension() == ".wgraph")
            write_built_graph(now.comm, std::move(edges), file_);
        else
            write_graph(now.comm, edges, file_);
        now.watch.lap("write");
        now.report["options"]["out"] = file_;
        now.report["options"]["no_weights"] = no_weights_;
        now.report["options"]["largest_component"] = largest_;
        now.report["options"]["undirected"] = undirected_;
        now.report["options"]["edges_only"] = edges_only_;
    }

    [[nodiscard]] std::string subject(nlohmann::ordered_json const&) const override {
        return graph_.short_name();
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        std::string rows = table_row("format", report["input"]["format"].get<std::string>());
        if (result.contains("vertices"))
            rows += table_row("vertices", grouped(result["vertices"].get<std::int64_t>()));
        return rows + table_row("edges", grouped(result["edges"].get<std::int64_t>())) +
               table_row("weights", result["weighted"].get<bool>() ? "yes" : "no") +
               table_row("written to", file_);
    }

    graph_argument graph_;
    std::string file_;
    bool no_weights_ = false;
    bool largest_ = false;
    bool undirected_ = false;
    bool edges_only_ = false;
};

} // namespace

std::unique_ptr<command> make_convert(CLI::App& app) {
    return std::make_unique<convert_command>(app);
}

} // namespace weft::tool
