#include <weft/extend/protocol/alone.hpp>
#include <weft/io/load_graph.hpp>

#include "io/formats/built_graph.hpp"

#include <weft/extend/protocol/gate.hpp>

#include <new>
#include <utility>

namespace weft {

graph load_graph(communicator const& comm, std::string const& file, read_options const& options) try {
    if (auto built = io::open_built_graph(comm, file, options)) return std::move(built->made);
    edge_list edges = read_graph(comm, file, options);
    if (!edges.weighted) edges.weights = {}; // which were 1
    return {comm, std::move(edges)};
} catch (std::bad_alloc const&) {
    alone_unless_agreed("load_graph");
    throw;
}

} // namespace weft
