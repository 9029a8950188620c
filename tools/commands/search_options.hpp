/// The common part of commands that search a graph from one vertex.
#pragma once

#include "graph_command.hpp"
#include "label_rows.hpp"

#include <weft/graph/arc_graph.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

namespace weft::tool {

/// Where a search starts, along what it goes, and where its distances are written.
class search_options {
public:
    /// `unreached` is the distance of a vertex that was not reached, in words.
    void add_to(CLI::App& parser, std::string_view unreached);

    /// True if the search goes along arcs of this file.
    [[nodiscard]] bool along_arcs(edge_list const& edges) const noexcept {
        return directed_ && edges.directed;
    }
    /// The vertex to start from. Collective. Throws: `usage_error` if the graph has none of that name.
    [[nodiscard]] global_id source_in(arc_graph const& graph) const;
    /// The graph and these options in a report.
    void report(
        nlohmann::ordered_json& into, arc_graph const& graph, global_id source, bool along_arcs) const;
    /// Rows of vertices and of arcs or edges, of such a report.
    [[nodiscard]] static std::string table_of_graph(nlohmann::ordered_json const& report);

    /// The file for distances; empty if none is asked for.
    [[nodiscard]] std::string const& distances() const noexcept { return distances_; }
    [[nodiscard]] std::string const& source() const noexcept { return source_; }

    /// `original-id distance` a line, for the vertices of this rank. Collective.
    template <class T>
    [[nodiscard]] std::string distances_as_text(
        vertex_set const& vertices, std::span<T const> distance) const {
        label_rows const rows(vertices, distances_);
        std::string text;
        for (std::size_t i = 0; i < distance.size(); ++i)
            rows.append(
                text, {vertices.original_id(static_cast<std::int64_t>(i)), fmt::format("{}", distance[i])});
        return text;
    }

private:
    std::string source_;
    bool directed_ = false;
    std::string distances_;
};

} // namespace weft::tool
