#include "edge_text.hpp"

#include <files/csv_row.hpp>

#include <array>
#include <charconv>
#include <utility>

namespace weft::io {

namespace {

template <class Number>
void append_number(std::string& text, Number number) {
    std::array<char, 32> digits;
    auto const written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    text.append(digits.data(), written.ptr);
}

} // namespace

edge_text::edge_text(edge_list const& graph, graph_format format, bool weights) noexcept
    : graph_(graph),
      format_(format),
      weights_(weights),
      between_(format == graph_format::csv             ? ','
               : format == graph_format::matrix_market ? ' '
                                                       : '\t'),
      one_half_(format == graph_format::matrix_market && !graph.directed),
      // Without the values a skew matrix has no sign, and is symmetric.
      skew_(one_half_ && weights && graph.symmetry == matrix_symmetry::skew) {
}

bool edge_text::writes(std::size_t place) const noexcept {
    edge const& each = graph_.edges[place];
    return !one_half_ || !graph_.both_directions || each.source >= each.target;
}

void edge_text::append_header(std::string& text, std::int64_t lines) const {
    if (format_ == graph_format::matrix_market) {
        text += "%%MatrixMarket matrix coordinate ";
        text += weights_ ? "real " : "pattern ";
        text += skew_ ? "skew-symmetric" : one_half_ ? "symmetric" : "general";
        text += '\n';
        append_number(text, graph_.rows);
        text += ' ';
        append_number(text, graph_.columns);
        text += ' ';
        append_number(text, lines);
    } else if (format_ == graph_format::csv) {
        text += weights_ ? "source,target,weight" : "source,target";
    } else {
        text += "# ";
        if (graph_.naming == vertex_naming::declared) {
            text += "Nodes: ";
            append_number(text, graph_.vertices);
            text += ' ';
        }
        text += "Edges: ";
        append_number(text, lines);
    }
    text += '\n';
}

void edge_text::append_line(std::string& text, std::size_t place) const {
    edge each = graph_.edges[place];
    double weight = weights_ ? graph_.weights[place] : 1;
    if (format_ == graph_format::matrix_market) {
        if (one_half_ && each.source < each.target) {
            std::swap(each.source, each.target);
            if (skew_) weight = -weight;
        }
        append_number(text, each.source + 1);
        text += ' ';
        append_number(text, each.target - (graph_.bipartite ? graph_.rows : 0) + 1);
    } else {
        append_label(text, each.source);
        text += between_;
        append_label(text, each.target);
    }
    if (weights_) {
        text += between_;
        append_number(text, weight);
    }
    text += '\n';
}

void edge_text::append_label(std::string& text, std::int64_t end) const {
    if (graph_.naming == vertex_naming::text && format_ == graph_format::csv)
        append_csv_field(text, graph_.names[static_cast<std::size_t>(end)]);
    else if (graph_.naming == vertex_naming::text)
        text += graph_.names[static_cast<std::size_t>(end)];
    else
        append_number(text, end + graph_.first_id);
}

} // namespace weft::io
