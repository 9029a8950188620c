/// Connected components by blocks, beside those of the graph module.
#pragma once

#include "bench_table.hpp"

#include <cstdint>

namespace weft::tool {

/// Components of an R-MAT graph of 2^scale vertices and 16 edges a vertex: of the graph, and of as many
/// blocks by both engines, whose labels are compared with it. Collective.
void bench_block_components(
    communicator const& comm, bench_table& table, std::int64_t blocks, int scale, int threads);

} // namespace weft::tool
