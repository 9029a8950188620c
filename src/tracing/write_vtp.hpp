/// Writes lines as a file of VTK.
#pragma once

#include <tracing/line_store.hpp>

#include <weft/core/communicator.hpp>

#include <string>

namespace weft {

/// Writes lines as VTK XML polydata with raw appended arrays, which ParaView opens: `speed` at the points,
/// `seed` for each line. The lines of lower ranks come first. Each rank writes its own parts; the file
/// appears when it is complete. Collective: yes. Blocks: until all ranks have written. Throws: `io_error`,
/// agreed.
void write_vtp(communicator const& comm, std::string const& file, line_set const& mine);

} // namespace weft
