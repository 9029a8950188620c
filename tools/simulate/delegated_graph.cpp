#include "delegated_graph.hpp"

#include <io/rmat.hpp>

#include <algorithm>

namespace weft::tool {

delegated_graph::delegated_graph(rmat_options const& options, int ranks, double share) {
    std::int64_t const vertices = std::int64_t{1} << options.scale;
    std::int64_t const edges = vertices * options.edge_factor;
    io::rmat_edges const edge_at(options);
    std::vector<std::int64_t> degrees(static_cast<std::size_t>(vertices));
    for (std::int64_t number = 0; number < edges; ++number) {
        edge const made = edge_at(number);
        ++degrees[static_cast<std::size_t>(made.source)];
        ++degrees[static_cast<std::size_t>(made.target)];
    }
    delegate_numbers.assign(degrees.size(), -1);
    auto const largest = static_cast<double>(*std::ranges::max_element(degrees));
    for (std::int64_t vertex = 0; share > 0 && vertex < vertices; ++vertex) {
        if (static_cast<double>(degrees[static_cast<std::size_t>(vertex)]) < share * largest) continue;
        delegate_numbers[static_cast<std::size_t>(vertex)] = static_cast<std::int32_t>(delegates.size());
        delegates.push_back(vertex);
    }
    edges_of.resize(static_cast<std::size_t>(ranks));
    for (std::int64_t number = 0; number < edges; ++number) {
        edge const made = edge_at(number);
        for (edge const each : {made, edge{made.target, made.source}}) {
            std::int64_t home = each.source % ranks;
            if (delegate(each.source) >= 0)
                home = delegate(each.target) >= 0 ? number % ranks : each.target % ranks;
            edges_of[static_cast<std::size_t>(home)].push_back(each);
        }
    }
}

} // namespace weft::tool
