/// Starting more ranks.
#pragma once

namespace weft::tool {

/// Replaces this process by the MPI launcher with `ranks` copies of this command and the same arguments less
/// `-n`. Returns only if that is impossible: throws `std::runtime_error`.
[[noreturn]] void relaunch_under_mpi(int ranks, int argc, char** argv);

/// Whether a launcher of MPI started this process.
[[nodiscard]] bool launched_by_mpi();

/// Whether this process is rank 0 as far as the launcher's variables tell: who speaks when MPI could not
/// start.
[[nodiscard]] bool is_first_launched();

} // namespace weft::tool
