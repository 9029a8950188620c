#include "metis_one_sided.hpp"

#include "body_critic.hpp"
#include "parse_metis.hpp"

#include <exchange/gated_exchange.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace weft::io {

namespace {

constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

edge lower_first(edge const& e) noexcept {
    return {std::min(e.source, e.target), std::max(e.source, e.target)};
}

/// The least of the edges that are there more often in one direction than in the other.
edge least_one_sided(std::vector<edge> edges) {
    std::sort(edges.begin(), edges.end(),
        [](edge const& a, edge const& b) { return lower_first(a) < lower_first(b); });
    edge least{nowhere, nowhere};
    for (auto run = edges.begin(); run != edges.end();) {
        edge const pair = lower_first(*run);
        std::int64_t surplus = 0; // of the direction from the lower to the higher vertex
        for (; run != edges.end() && lower_first(*run) == pair; ++run) surplus += *run == pair ? 1 : -1;
        if (surplus != 0) least = std::min(least, surplus > 0 ? pair : edge{pair.target, pair.source});
    }
    return least;
}

} // namespace

void complain_of_one_sided_edge(communicator const& comm, std::filesystem::path const& file,
    graph_header const& header, edge_list const& graph) {
    gate call(comm, "read_graph");
    outbox<edge> out{comm};
    call.guard([&] {
        for (edge const& each : graph.edges) {
            if (each.source == each.target) continue;
            auto const sum =
                static_cast<std::uint64_t>(each.source) + static_cast<std::uint64_t>(each.target);
            out[static_cast<int>(sum % static_cast<std::uint64_t>(comm.size()))].push_back(each);
        }
    });
    edge const mine = least_one_sided(exchanged_items(call, std::move(out)));
    std::int64_t const source = ~max(call, ~mine.source); // ~ reverses the order
    std::int64_t const target = min(comm, mine.source == source ? mine.target : nowhere);
    agreed(comm, [&] {
        if (comm.rank() != 0) return;
        std::string const from = std::to_string(source + 1);
        std::string const to = std::to_string(target + 1);
        metis_parser parser(header, weight_use::none);
        edge_list read;
        body_critic(file, header)
            .complain_at_line("expected the neighbour " + to + " of vertex " + from + " to list " + from +
                                  " as well, found it in this line only",
                [&](std::string_view line) {
                    parser.parse(line, read);
                    read.edges.clear();
                    return parser.lines() > source;
                });
    });
    throw io_error(file.string() + ": the file changed while it was read");
}

} // namespace weft::io
