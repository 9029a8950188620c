/// Writes text of all ranks to one file.
#pragma once

#include <string>
#include <string_view>

namespace weft {

class communicator;

/// Writes the texts of the ranks, one after the other in the order of ranks. Each rank writes its byte range
/// into a temporary file beside `file`, which must be visible to all ranks. The temporary file is renamed to
/// `file` when it is complete, and removed if it cannot be completed. If the name ends in .gz, .bz2, .xz or
/// .zst, each rank compresses its text; `gunzip` or the corresponding tool decompresses the whole file.
/// Collective: yes, over `comm`. Blocks: until all ranks have written. Cost: one pass, O(1) collectives.
/// Throws: `io_error`, the same on all ranks, if the file cannot be written.
void write_text(communicator const& comm, std::string const& file, std::string_view mine);

} // namespace weft
