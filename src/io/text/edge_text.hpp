/// From edges to lines of text.
#pragma once

#include <weft/graph/edge_list.hpp>
#include <weft/io/read_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace weft::io {

/// The text of a graph in a format: a header, then a line for each edge that is written.
class edge_text {
public:
    /// `format` is an edge list, CSV or MatrixMarket; `weights` says whether any rank has some.
    edge_text(edge_list const& graph, graph_format format, bool weights) noexcept;

    /// True if the file has a line for the edge at `place`: of a symmetric matrix only one half is stored.
    [[nodiscard]] bool writes(std::size_t place) const noexcept;

    /// Appends the lines of the header, for `lines` edges on all ranks.
    void append_header(std::string& text, std::int64_t lines) const;

    /// Appends the line of the edge at `place`.
    void append_line(std::string& text, std::size_t place) const;

private:
    void append_label(std::string& text, std::int64_t end) const;

    edge_list const& graph_;
    graph_format format_;
    bool weights_;
    char between_;
    bool one_half_; // a matrix with one entry for both directions
    bool skew_;
};

} // namespace weft::io
