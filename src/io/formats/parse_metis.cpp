#include "parse_metis.hpp"

namespace weft::io {

metis_parser::metis_parser(graph_header const& header, weight_use weights)
    : vertices_(header.rows),
      numbers_before_neighbours_(header.numbers_before_neighbours),
      weighted_(header.weighted),
      weights_(weights) {
}

void metis_parser::parse(std::string_view lines, edge_list& into) {
    char const* at = lines.data();
    char const* const end = at + lines.size();
    while (at != end) {
        at = skip_blanks(at);
        if (*at == '%') {
            at = next_line(at, end);
            continue;
        }
        // Blank lines may also follow the last vertex, so whether a vertex must have text is for the one who
        // knows its number.
        bool const blank = *at == '\n';
        if (!blank) at = parse_vertex(lines, at, into);
        ++at;
        ++lines_;
        if (blank) continue;
        ++lines_with_text_;
        last_with_text_ = lines_;
    }
}

/// The line that starts at `at`, up to its newline.
char const* metis_parser::parse_vertex(std::string_view text, char const* at, edge_list& into) {
    for (std::int32_t i = 0; i < numbers_before_neighbours_; ++i) {
        if (!skip_number(at)) complain(text, at, "a size or weight of the vertex");
        at = skip_blanks(at);
    }
    while (*at != '\n') {
        std::int64_t const neighbour = scan_index(at, vertices_);
        if (neighbour < 0) complain(text, at, index_range("a neighbour", vertices_));
        at = skip_blanks(at);
        into.edges.push_back({lines_, neighbour});
        if (!weighted_ && weights_ == weight_use::none) continue;
        double weight = 1;
        if (weighted_) {
            weight = read_weight(text, at, weights_, "the weight of an edge");
            at = skip_blanks(at);
        }
        if (weights_ != weight_use::none) into.weights.push_back(weight);
    }
    return at;
}

} // namespace weft::io
