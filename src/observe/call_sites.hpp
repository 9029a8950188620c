/// Finds the program's own code in a stack of return addresses. Private.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The stack of one process, the innermost address first.
struct stack_of_process {
    int pid = 0;
    std::vector<std::uint64_t> frames;
};

/// Returns for each stack the innermost place outside of Weft and system libraries: file and line if the
/// program has debug information, else the function; empty if its names were stripped. Runs `addr2line`, if
/// that is installed, once for each file of code. Recording a stack costs nothing more.
[[nodiscard]] std::vector<std::string> places_of(std::vector<stack_of_process> const& stacks);

/// Returns true if a function with this demangled name, in this source file, is the program's own.
[[nodiscard]] bool is_of_program(std::string_view function, std::string_view file) noexcept;

/// Returns true if an address of this process lies in a library of MPI.
[[nodiscard]] bool is_in_mpi(void const* address);

} // namespace weft
