#include "two_way_arcs.hpp"

#include "graph/components/local_numbering.hpp"
#include "graph/search/reversed_arcs.hpp"

#include <utility>

namespace weft {

two_way_arcs::two_way_arcs(gate& call, arc_graph const& graph) {
    if (graph.direction() == arc_direction::both) {
        first_target_ = first_source_ = graph.first_neighbors();
        targets_ = sources_ = graph.all_neighbors();
        ghosts_ = graph.ghosts();
        return;
    }
    auto const own = static_cast<std::uint32_t>(graph.local_count());
    global_id const first = graph.vertices().first_local();
    std::vector<global_id> ids;
    {
        reversed_arcs turned = reverse_arcs(call, graph);
        call.guard([&] {
            ids.reserve(graph.all_neighbors().size() + turned.neighbors.size());
            for (std::uint32_t const each : graph.all_neighbors())
                ids.push_back(each < own ? first + each : graph.ghosts()[each - own]);
            for (std::uint32_t const each : turned.neighbors)
                ids.push_back(each < own ? first + each : turned.ghosts[each - own]);
        });
        first_turned_ = std::move(turned.first);
    }
    local_numbering numbered = number_locally(call, graph.vertices().owners(), ids, call.call());
    numbers_ = std::move(numbered.index);
    all_ghosts_ = std::move(numbered.ghosts);
    ghosts_ = all_ghosts_;
    std::size_t const listed = graph.all_neighbors().size();
    first_target_ = graph.first_neighbors();
    targets_ = std::span(numbers_).first(listed);
    first_source_ = first_turned_;
    sources_ = std::span(numbers_).subspan(listed);
    if (graph.direction() == arc_direction::backward) {
        std::swap(first_target_, first_source_);
        std::swap(targets_, sources_);
    }
}

} // namespace weft
