#include <weft/graph/simple_graph.hpp>

#include "adjacency.hpp"

namespace weft {

simple_graph::simple_graph(communicator comm, edge_list list) : vertices_(std::move(comm), list) {
    gate call(vertices_.comm(), "simple_graph");
    adjacency stored = store_edges(call, vertices_.owners(), std::move(list.edges), stored_with::one_end);
    edge_count_ = stored.stored;
    loop_count_ = stored.loops;
    most_stored_ = stored.most;
    first_ = std::move(stored.first);
    others_ = std::move(stored.others);
}

} // namespace weft
