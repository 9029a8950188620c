#include "search_options.hpp"
#include "graph_report.hpp"
#include "options/output_option.hpp"

#include <weft/core/error.hpp>

namespace weft::tool {

void search_options::add_to(CLI::App& parser, std::string_view unreached) {
    parser.add_option("--source", source_, "The vertex to start from, by its id in the file")->required();
    parser.add_flag("--directed", directed_,
        "Go along arcs, from the first vertex of a line to the second; edges of undirected files both ways");
    names_output(parser.add_option("--distances", distances_,
        fmt::format(
            "Write `original-id distance` a line, the distance being {} where a vertex was not reached{}",
            unreached, label_rows_help)));
}

global_id search_options::source_in(arc_graph const& graph) const {
    global_id const source = graph.vertices().find(source_);
    if (source < 0) throw usage_error("--source " + source_ + ": the graph has no such vertex");
    return source;
}

void search_options::report(nlohmann::ordered_json& into, arc_graph const& graph, global_id source) const {
    auto& options = into["options"];
    options["source"] = original_id_as_json(graph.vertices(), source);
    options["directed"] = directed_;
    if (!distances_.empty()) options["distances"] = distances_;
    report_graph(into["result"], graph);
}

} // namespace weft::tool
