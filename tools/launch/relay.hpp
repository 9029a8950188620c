/// A program whose standard output this process writes.
#pragma once

#include <functional>

namespace weft::tool {

/// Runs `start`, which becomes another program or fails with exit code 1, in a process of its own, and writes
/// its standard output to that of this process: launchers of MPI do not tell when they cannot. Signals that a
/// process sends to this one are handed on; those of a terminal reach both. Where standard output cannot be
/// written, the program is told to end and the error is said. Returns the exit code: the program's, 1 after
/// such an error. Throws: `std::runtime_error` where the system has no process or pipe for it.
[[nodiscard]] int relay_output_of(std::function<void()> const& start);

} // namespace weft::tool
