/// The memory that something will need, held against the memory that there is. Private.
#pragma once

#include <string>

namespace weft {

class communicator;

/// Throws `usage_error` on all ranks where those of a node together, or one alone, need more memory than is
/// left: "WHAT needs at least 4 TB of memory, and 20 GB are left". `bytes`: of this rank; no more than it
/// will touch for sure. Collective: yes. Blocks: until all ranks have called. Cost: one gather of 32 bytes a
/// rank.
void need_memory(communicator const& comm, std::string const& what, double bytes);

} // namespace weft
