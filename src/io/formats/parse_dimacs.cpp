#include "io/text/line_parser.hpp"

namespace weft::io {

namespace {

/// "u v", "e u v" or "a u v length". Comments may stand anywhere; what `n` lines say of vertices is left out.
class dimacs_parser final : public line_parser {
public:
    dimacs_parser(graph_header const& header, weight_use weights)
        : vertices_(header.rows), kind_(header.dimacs), weights_(weights) {}

    void parse(std::string_view lines, edge_list& into) override {
        auto const skips = [&](char const* at) {
            return *at == 'c' || (kind_ == dimacs_lines::edges && field_at(at) == "n");
        };
        for_lines(lines, skips, [&](char const*& at) {
            read_letter(lines, at);
            std::int64_t const source = read_vertex(lines, at);
            std::int64_t const target = read_vertex(lines, at);
            double length = 1;
            if (kind_ == dimacs_lines::arcs) {
                length = read_weight(lines, at, weights_, "the length of an arc");
                at = skip_blanks(at);
            }
            end_line(lines, at);
            into.edges.push_back({source, target});
            if (weights_ != weight_use::none) into.weights.push_back(length);
        });
    }

private:
    void read_letter(std::string_view lines, char const*& at) const {
        if (*at == 'p') complain(lines, at, "one \"p\" line in the file");
        if (kind_ == dimacs_lines::pairs) return;
        char const letter = kind_ == dimacs_lines::arcs ? 'a' : 'e';
        if (*at != letter || !is_blank(at[1]))
            complain(lines, at, letter == 'a' ? "an arc \"a u v length\"" : "an edge \"e u v\"");
        at = skip_blanks(at + 1);
    }

    std::int64_t read_vertex(std::string_view lines, char const*& at) const {
        std::int64_t const vertex = scan_index(at, vertices_);
        if (vertex < 0) complain(lines, at, index_range("a vertex", vertices_));
        at = skip_blanks(at);
        return vertex;
    }

    std::int64_t vertices_;
    dimacs_lines kind_;
    weight_use weights_;
};

} // namespace

std::unique_ptr<line_parser> make_dimacs_parser(graph_header const& header, weight_use weights) {
    return std::make_unique<dimacs_parser>(header, weights);
}

} // namespace weft::io
