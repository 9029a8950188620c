/// Counting with and without `combine_by`.
#pragma once

#include "bench_table.hpp"

#include <cstddef>
#include <cstdint>

namespace weft::tool {

/// Counts the ends of `items` edges a rank of an R-MAT graph of scale 18, of which few vertices have the
/// most, with a cache of so many entries and without. Collective.
void bench_mailbox_combine(
    communicator const& comm, bench_table& table, std::int64_t items, std::size_t entries);

} // namespace weft::tool
