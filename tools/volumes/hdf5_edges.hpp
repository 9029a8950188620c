/// Edges from datasets of HDF5 files.
#pragma once

#include <io/formats/hdf5_address.hpp>

#include <weft/core/communicator.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <functional>

namespace weft::tool {

/// See `volume_module`.
[[nodiscard]] edge_list read_hdf5_edges(communicator const& comm, io::hdf5_address const& address,
    bool weights, bool lengths, std::function<void(std::int64_t done, std::int64_t total)> const& progress);

} // namespace weft::tool
