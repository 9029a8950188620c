/// The file in which a machine model is kept: a subset of TOML, small enough to be read and edited by hand.
#pragma once

#include <weft/machine/machine_model.hpp>

#include <string>
#include <string_view>

namespace weft {

/// The model as text. Local.
[[nodiscard]] std::string to_text(machine_model const& machine);

/// The model of a text; `name` stands for the text in errors. Lines are `key = number`, `key = [numbers]`,
/// `key = "text"`, `[table]` or comments; a network that is missing is as `inside`. Throws `io_error` naming
/// the line: what is unknown, twice, missing or out of range is an error. Local.
[[nodiscard]] machine_model parse_machine(std::string_view text, std::string_view name);

/// Where the model of this machine is looked for: `weft/machine-<host>-<mpi>.toml` in $XDG_CACHE_HOME or
/// ~/.cache. The host is named without trailing digits, so that the nodes of a cluster share a file; each MPI
/// has its own. Empty where there is no home. Local.
[[nodiscard]] std::string machine_file_path();

} // namespace weft
