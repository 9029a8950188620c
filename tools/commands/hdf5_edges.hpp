/// Edges from datasets of HDF5 files.
#pragma once

#include <io/formats/hdf5_address.hpp>

#include <weft/core/communicator.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <functional>

namespace weft::tool {

/// Reads a dataset of shape (edges, 2), or (edges, 3) with weights in the last column, of integers or of
/// floating point that is integral; labels are numbers. The path may be left out where the file has one
/// dataset. `weights`: fills the weights of edges; `lengths`: they are at least 0. Every rank reads its rows.
/// Collective: yes. Throws: `io_error`, `usage_error`, the same on all ranks.
[[nodiscard]] edge_list read_hdf5_edges(communicator const& comm, io::hdf5_address const& address,
    bool weights, bool lengths, std::function<void(std::int64_t done, std::int64_t total)> const& progress);

} // namespace weft::tool
