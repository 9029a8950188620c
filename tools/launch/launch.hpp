/// Starting more ranks.
#pragma once

#include <string>

namespace weft::tool {

/// The path of this program. Throws: `std::runtime_error`.
[[nodiscard]] std::string this_executable();

/// The most ranks that this command starts by itself: 64 a core, or 256 on a small machine; 0: any number, in
/// an allocation of a batch system, whose launcher knows its machines.
[[nodiscard]] int most_ranks();

/// Runs the MPI launcher with `ranks` copies of this command and the same arguments less `-n`, and returns
/// the exit code: 1 where their standard output could not be written. Throws: `std::runtime_error`.
[[nodiscard]] int relaunch_under_mpi(int ranks, int argc, char** argv);

/// Whether `relaunch_under_mpi` started this process; removes the mark of that from the arguments.
[[nodiscard]] bool take_relaunch_mark(int& argc, char** argv);

/// Goes on in a child of this process, which is the rank. This process waits for the child and ends as it
/// did. It names a signal that killed the child on standard error, because the launcher was told to be quiet.
/// A rank that the launcher ends, for instance after Ctrl-C, is not named. Throws: `std::runtime_error`.
void continue_as_rank();

/// True if this process is rank 0 as far as the launcher's variables tell: who speaks when MPI could not
/// start.
[[nodiscard]] bool is_first_launched();

} // namespace weft::tool
