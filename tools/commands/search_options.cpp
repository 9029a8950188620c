#include "search_options.hpp"
#include "graph_report.hpp"
#include "options/output_option.hpp"

#include <weft/core/error.hpp>

#include <fmt/ranges.h>

#include <sstream>
#include <utility>

namespace weft::tool {

void search_options::add_to(CLI::App& parser, std::string_view unreached, sources most) {
    if (most == sources::one)
        parser.add_option("--source", sources_, "The vertex to start from, by its id in the file")
            ->expected(1)
            ->required();
    else
        parser
            .add_option("--source", sources_,
                "The vertex to start from, by its id in the file. For several vertices, separate the ids by "
                "commas or repeat --source; distances are then from the nearest of these vertices")
            ->allow_extra_args(false)
            ->required();
    parser.add_option("--target", target_,
        "The id of a vertex in the file: the report then contains a shortest path to this vertex. Of several "
        "shortest paths, the report contains the path whose ids are smallest, compared from the last id to "
        "the first");
    parser.add_flag("--directed", directed_,
        "Follow edges only from the first vertex of a line to the second; edges of undirected files are "
        "followed in both directions");
    names_table(parser.add_option("--distances", distances_,
        fmt::format("Write a line `original-id distance` for each vertex; the distance is {} for a vertex "
                    "that was not reached{}",
            unreached, label_rows_help)));
}

global_id search_options::vertex_in(
    vertex_set const& vertices, std::string const& option, std::string const& name) {
    global_id const found = vertices.find(name);
    if (found < 0) throw usage_error(option + " " + name + ": the graph has no such vertex");
    return found;
}

std::vector<global_id> search_options::sources_in(vertex_set const& vertices) const {
    std::vector<global_id> found;
    for (std::string const& given : sources_) {
        if (given.find(',') == given.npos || vertices.find(given) >= 0) { // a name may have commas
            found.push_back(vertex_in(vertices, "--source", given));
            continue;
        }
        std::istringstream names(given + ',');
        for (std::string name; std::getline(names, name, ',');)
            found.push_back(vertex_in(vertices, "--source", name));
    }
    return found;
}

std::string search_options::source_names() const {
    return fmt::format("{}", fmt::join(sources_, ","));
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
    std::span<global_id const> sources) const {
    auto& options = into["options"];
    auto ids = original_ids_as_json(vertices, sources);
    options["source"] = ids.size() == 1 ? std::move(ids.front()) : std::move(ids);
    options["directed"] = directed_;
    if (!target_.empty()) options["target"] = target_;
    if (!distances_.empty()) options["distances"] = distances_;
    report_graph(into["result"], graph);
}

} // namespace weft::tool
