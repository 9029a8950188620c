/// Graphs in Weft's binary form, whose ranks read their shares as they stand.
#pragma once

#include "io/text/line_parser.hpp"

#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>

namespace weft::io {

/// Every rank reads its share of the edges and, where labels are text, all labels, of which it keeps those of
/// its edges. Collective: yes. Throws: `io_error`, the same on all ranks, for what `read_binary_head` refuses
/// and for contents that do not fit the check sums.
[[nodiscard]] edge_list read_binary_graph(communicator const& comm, std::filesystem::path const& file,
    weight_use weights, std::function<void(std::int64_t done, std::int64_t total)> const& progress);

/// Writes a graph whose endpoints are checked; labels that are text are sorted and written once. `weights`:
/// any rank has some. Collective: yes. Throws: what `call` has kept; `io_error`; agreed.
void write_binary_graph(gate& call, edge_list const& graph, bool weights, std::filesystem::path const& file);

} // namespace weft::io
