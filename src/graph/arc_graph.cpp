#include <weft/graph/arc_graph.hpp>

#include "adjacency.hpp"
#include "local_numbering.hpp"

namespace weft {

namespace {

stored_with ends_to_store(edge_list const& list, arc_direction direction) {
    switch (direction) {
    case arc_direction::forward:
        return stored_with::source;
    case arc_direction::backward:
        return stored_with::target;
    default: // a file that lists both directions spares us the sending of the second
        return list.both_directions ? stored_with::source : stored_with::both_ends;
    }
}

} // namespace

arc_graph::arc_graph(communicator comm, edge_list list, arc_direction direction)
    : vertices_(std::move(comm), list), direction_(direction) {
    adjacency stored =
        store_edges(this->comm(), vertices_.owners(), std::move(list.edges), ends_to_store(list, direction));
    arc_count_ = stored.stored;
    loop_count_ = stored.loops;
    first_ = std::move(stored.first);
    local_numbering numbered = number_locally(this->comm(), vertices_.owners(), stored.others, "arc_graph");
    neighbors_ = std::move(numbered.index);
    ghosts_ = std::move(numbered.ghosts);
}

} // namespace weft
