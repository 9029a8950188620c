#include "metis_vertices.hpp"

#include "body_critic.hpp"
#include "metis_one_sided.hpp"

#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>

namespace weft::io {

namespace {

/// Spreads the bits of a vertex: the finaliser of MurmurHash3.
std::uint64_t spread(std::uint64_t vertex) noexcept {
    vertex = (vertex ^ (vertex >> 33)) * 0xff51afd7ed558ccdu;
    vertex = (vertex ^ (vertex >> 33)) * 0xc4ceb9fe1a85ec53u;
    return vertex ^ (vertex >> 33);
}

/// So many bits of the imbalance are compared: a million ranks' can be added without overflow.
constexpr std::uint64_t imbalance_mask = (std::uint64_t{1} << 42) - 1;

struct body_totals {
    std::int64_t neighbours;
    std::int64_t loops;
    std::int64_t lines;
    std::int64_t lines_with_text;
    std::int64_t last_with_text;
};

/// Throws: `io_error`. Local.
void check_totals(std::filesystem::path const& file, graph_header const& header, body_totals const& totals) {
    body_critic const critic(file, header);
    std::int64_t const vertices = header.rows;
    metis_parser parser(header, weight_use::none);
    edge_list read;
    auto const parse = [&](std::string_view line) {
        parser.parse(line, read);
        read.edges.clear();
    };
    if (totals.last_with_text > vertices)
        critic.complain_at_line("expected the end of the file after the lines of " +
                                    std::to_string(vertices) + " vertices, found another",
            [&](std::string_view line) {
                parse(line);
                return parser.last_with_text() > vertices;
            });
    bool const all_have_text = header.numbers_before_neighbours > 0;
    // Without a final newline, the empty line of a last vertex without neighbours cannot be seen.
    if (totals.lines < vertices - (all_have_text ? 0 : 1))
        critic.complain_at_end(
            "the line of vertex " + std::to_string(totals.lines + 1) + " of " + std::to_string(vertices));
    if (all_have_text && totals.lines_with_text < vertices)
        critic.complain_at_line(
            "expected a size or weight of the vertex, found an empty line", [&](std::string_view line) {
                parse(line);
                return parser.lines() > parser.lines_with_text();
            });
    // Every edge is listed from both its ends; writers do not agree on whether a loop is listed twice.
    std::int64_t const declared = 2 * header.entries;
    if (totals.neighbours != declared && totals.neighbours + totals.loops != declared)
        critic.complain_at_header(
            "expected " + std::to_string(declared) + " neighbours in all, two for each of the " +
            number_of(header.entries, "edge") + " declared here, found " + std::to_string(totals.neighbours));
}

} // namespace

void metis_vertices::end_round(edge_list& graph) {
    prefix const place = exclusive_sum(comm_, parser_.lines());
    std::int64_t const first = lines_ + place.before;
    lines_ += place.total;
    lines_with_text_ += parser_.lines_with_text();
    if (parser_.last_with_text() > 0) last_with_text_ = first + parser_.last_with_text();
    parser_.restart();
    // An edge from u to v adds spread(u) v - spread(v) u, which the edge from v to u takes away again; so
    // over all edges this comes to zero if each has its opposite, and hardly otherwise.
    std::int64_t source = -1;
    std::uint64_t spread_source = 0;
    for (; numbered_edges_ < graph.edges.size(); ++numbered_edges_) {
        edge& each = graph.edges[numbered_edges_];
        each.source += first;
        if (each.source != source) spread_source = spread(static_cast<std::uint64_t>(source = each.source));
        auto const u = static_cast<std::uint64_t>(each.source);
        auto const v = static_cast<std::uint64_t>(each.target);
        imbalance_ += spread_source * v - spread(v) * u;
        loops_ += u == v ? 1 : 0;
    }
}

void metis_vertices::check(
    std::filesystem::path const& file, graph_header const& header, edge_list const& graph) const {
    census_value mine = census_value::identity();
    mine.sum = {std::ssize(graph.edges), loops_, lines_with_text_,
        static_cast<std::int64_t>(imbalance_ & imbalance_mask)};
    mine.max[0] = last_with_text_;
    census_value const all = combine_all(comm_, mine);
    agreed(comm_, [&] {
        if (comm_.rank() == 0)
            check_totals(file, header, {all.sum[0], all.sum[1], lines_, all.sum[2], all.max[0]});
    });
    if ((static_cast<std::uint64_t>(all.sum[3]) & imbalance_mask) != 0)
        complain_of_one_sided_edge(comm_, file, header, graph);
}

} // namespace weft::io
