/// The graph of a file that holds rows. Private.
#pragma once

#include <weft/graph/graph.hpp>
#include <weft/io/read_graph.hpp>

#include <optional>
#include <string>

namespace weft::io {

struct built_graph {
    graph made;
    edge_list description; ///< what `read_graph` tells of the file, without edges
};

/// Nothing where the file is another one, or the options ask for another format. Collective: yes. Throws:
/// `usage_error` where ranks ask for different things, `io_error`, agreed.
[[nodiscard]] std::optional<built_graph> open_built_graph(
    communicator const& comm, std::string const& file, read_options const& options);

} // namespace weft::io
