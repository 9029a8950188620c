/// The file of a machine model: a subset of TOML that is easy to read and edit.
#pragma once

#include <weft/machine/machine_model.hpp>

#include <string>
#include <string_view>

namespace weft {

/// Returns the model as text. Local.
[[nodiscard]] std::string to_text(machine_model const& machine);

/// Parses a model; errors refer to the text as `name`. Lines are `key = number`, `key = [numbers]`, `key =
/// "text"`, `[table]` or comments. A missing network is a copy of `inside`. Throws `io_error`, with the line,
/// for entries that are unknown, repeated, missing or out of range. Local.
[[nodiscard]] machine_model parse_machine(std::string_view text, std::string_view name);

/// Returns the file of this machine's model: `weft/machine-<host>-<mpi>.toml` in $XDG_CACHE_HOME or ~/.cache.
/// The host has no trailing digits, so that the nodes of a cluster share a file; each MPI has its own. Empty
/// if there is no home folder. Local.
[[nodiscard]] std::string machine_file_path();

} // namespace weft
