#include "reversed_arcs.hpp"

#include "graph/adjacency.hpp"
#include "graph/components/local_numbering.hpp"

#include <utility>

namespace weft {

reversed_arcs reverse_arcs(gate& call, arc_graph const& graph) {
    global_id const first = graph.vertices().first_local();
    auto const own = static_cast<std::uint32_t>(graph.local_count());
    std::vector<edge> arcs;
    call.guard([&] {
        arcs.reserve(graph.all_neighbors().size());
        for (std::int64_t vertex = 0; vertex < graph.local_count(); ++vertex)
            for (std::uint32_t const neighbor : graph.neighbors(vertex))
                arcs.push_back(
                    {first + vertex, neighbor < own ? first + neighbor : graph.ghosts()[neighbor - own]});
    });
    auto const& owners = graph.vertices().owners();
    adjacency stored = store_edges(call, owners, std::move(arcs), stored_with::target);
    local_numbering numbered = number_locally(call, owners, stored.others, "reverse_arcs");
    return {std::move(stored.first), std::move(numbered.index), std::move(numbered.ghosts)};
}

} // namespace weft
