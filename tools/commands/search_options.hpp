/// The common part of commands that search a graph from a vertex, or from several.
#pragma once

#include "graph_command.hpp"
#include "report/label_rows.hpp"

#include <weft/collective/gather.hpp>
#include <weft/graph/arc_graph.hpp>
#include <weft/graph/parents.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tool {

/// Where a search starts, along what it goes, and where its distances are written.
class search_options {
public:
    /// The vertices that a search may start from.
    enum class sources { one, several };

    /// `unreached` is the distance of a vertex that was not reached, in words.
    void add_to(CLI::App& parser, std::string_view unreached, sources most);

    /// The direction in which the search goes along arcs of a directed file.
    [[nodiscard]] arc_direction along() const noexcept {
        return directed_ ? arc_direction::forward : arc_direction::both;
    }
    /// The vertices to start from. A text with commas that is no name of a vertex is a list of names.
    /// Collective. Throws: `usage_error` if the graph has no vertex of a name.
    [[nodiscard]] std::vector<global_id> sources_in(vertex_set const& vertices) const;
    /// The graph and these options in a report.
    void report(nlohmann::ordered_json& into, vertex_set const& vertices, arc_graph const& graph,
        std::span<global_id const> sources) const;

    /// The names of the vertices to start from, as they were given.
    [[nodiscard]] std::string source_names() const;

    /// Adds the path to the target, if there is one, and its length to a report. Collective. Throws:
    /// `usage_error` if the graph has no vertex of that name. `from`: a source or several, as `find_parents`
    /// takes them.
    template <class From, class Found>
    void report_path(session const& now, vertex_set const& vertices, arc_graph const& graph, From const& from,
        Found const& found) const {
        if (target_.empty()) return;
        now.progress.phase("following the path");
        global_id const target = vertex_in(vertices, "--target", target_);
        auto const path = find_path(vertices, find_parents(graph, from, found), target);
        add_path(now, vertices, path, target, std::span(found.distance));
        now.watch.lap("path");
    }
    /// Rows of the path in such a report's result.
    [[nodiscard]] static std::string rows_of_path(nlohmann::ordered_json const& result);

    /// Writes `original-id distance` a line, where it is asked for. Collective.
    template <class T>
    void write(session const& now, vertex_set const& vertices, std::span<T const> distance) const {
        if (distances_.empty()) return;
        now.progress.phase("writing distances");
        write_values_of_vertices(vertices, distances_, "distance", distance);
        now.watch.lap("write");
    }

private:
    [[nodiscard]] static global_id vertex_in(
        vertex_set const& vertices, std::string const& option, std::string const& name);

    template <class T>
    static void add_path(session const& now, vertex_set const& vertices, std::span<global_id const> path,
        global_id target, std::span<T const> distance) {
        int const owner = vertices.owners().owner(target);
        T const own = now.comm.rank() == owner
                          ? distance[static_cast<std::size_t>(target - vertices.first_local())]
                          : T{};
        T const length = broadcast(now.comm, own, owner);
        auto const asked = now.comm.rank() == 0 ? path : path.first(0); // once, not by every rank
        auto& made = now.report["result"]["path"];
        made["target"] = original_id_as_json(vertices, target);
        made["length"] = path.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(length);
        made["vertices"] = original_ids_as_json(vertices, asked);
    }

    std::vector<std::string> sources_;
    std::string target_;
    bool directed_ = false;
    std::string distances_;
};

} // namespace weft::tool
