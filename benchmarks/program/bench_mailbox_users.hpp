/// The users of the mailbox, beside the same by exchanges.
#pragma once

#include "bench_table.hpp"

namespace weft::tool {

/// Sparse matrix-vector product and degrees of an R-MAT graph of 2^scale vertices and 16 edges a vertex, by
/// both engines. Collective.
void bench_mailbox_users(communicator const& comm, bench_table& table, int scale);

} // namespace weft::tool
