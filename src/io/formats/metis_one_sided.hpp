/// Which edge of a METIS file is listed from one of its ends only.
#pragma once

#include "graph_header.hpp"

#include <weft/core/communicator.hpp>

#include <filesystem>

namespace weft::io {

/// Throws the `io_error`, agreed, about the first line with an edge that is not listed from its other end.
/// Collective. Cost: an exchange of all edges.
[[noreturn]] void complain_of_one_sided_edge(communicator const& comm, std::filesystem::path const& file,
    graph_header const& header, edge_list const& graph);

} // namespace weft::io
