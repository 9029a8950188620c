/// The common part of commands that search a graph from one vertex.
#pragma once

#include "graph_command.hpp"
#include "report/label_rows.hpp"

#include <weft/graph/arc_graph.hpp>
#include <weft/io/write_text.hpp>

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
    void report(nlohmann::ordered_json& into, arc_graph const& graph, global_id source) const;

    [[nodiscard]] std::string const& source() const noexcept { return source_; }

    /// Writes `original-id distance` a line, where it is asked for. Collective.
    template <class T>
    void write(session const& now, vertex_set const& vertices, std::span<T const> distance) const {
        if (distances_.empty()) return;
        now.progress.phase("writing distances");
        label_rows const rows(vertices, distances_);
        std::string text;
        for (std::size_t i = 0; i < distance.size(); ++i)
            rows.append(
                text, {vertices.original_id(static_cast<std::int64_t>(i)), fmt::format("{}", distance[i])});
        write_text(now.comm, distances_, text);
        now.watch.lap("write");
    }

private:
    std::string source_;
    bool directed_ = false;
    std::string distances_;
};

} // namespace weft::tool
