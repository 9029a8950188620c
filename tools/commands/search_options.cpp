#include "search_options.hpp"
#include "graph_report.hpp"
#include "options/output_option.hpp"

#include <weft/core/error.hpp>

namespace weft::tool {

void search_options::add_to(CLI::App& parser, std::string_view unreached) {
    parser.add_option("--source", source_, "The vertex to start from, by its id in the file")->required();
    parser.add_option("--target", target_,
        "A vertex by its id in the file. The report then has a shortest path to it; of several, the one "
        "whose ids, read from the end, are smallest");
    parser.add_flag("--directed", directed_,
        "Follow arcs, from the first vertex of a line to the second; follow edges of undirected files both "
        "ways");
    names_table(parser.add_option("--distances", distances_,
        fmt::format(
            "Write a line `original-id distance` for each vertex; the distance is {} if it was not reached{}",
            unreached, label_rows_help)));
}

global_id search_options::vertex_in(
    vertex_set const& vertices, std::string const& option, std::string const& name) {
    global_id const found = vertices.find(name);
    if (found < 0) throw usage_error(option + " " + name + ": the graph has no such vertex");
    return found;
}

global_id search_options::source_in(vertex_set const& vertices) const {
    return vertex_in(vertices, "--source", source_);
}

std::string search_options::rows_of_path(nlohmann::ordered_json const& result) {
    if (!result.contains("path")) return "";
    auto const& path = result["path"];
    auto const text_of = [](nlohmann::ordered_json const& id) {
        return id.is_string() ? id.get<std::string>() : id.dump();
    };
    std::string const target = text_of(path["target"]);
    if (path["vertices"].empty()) return table_row("path", "none to " + target);
    constexpr std::size_t most = 12; // the report has all
    auto const& vertices = path["vertices"];
    std::string line;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (vertices.size() > most && i == most - 2) {
            line += " ... " + target;
            break;
        }
        line += (i == 0 ? "" : " ") + text_of(vertices[i]);
    }
    return table_row("path to " + target, fmt::format("{:.9g}", path["length"].get<double>())) +
           table_row("by way of", line);
}

void search_options::report(nlohmann::ordered_json& into, vertex_set const& vertices, arc_graph const& graph,
    global_id source) const {
    auto& options = into["options"];
    options["source"] = original_id_as_json(vertices, source);
    options["directed"] = directed_;
    if (!target_.empty()) options["target"] = target_;
    if (!distances_.empty()) options["distances"] = distances_;
    report_graph(into["result"], graph);
}

} // namespace weft::tool
