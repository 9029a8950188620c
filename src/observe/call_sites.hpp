/// Where the program's own code is in a stack of return addresses. Private.
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

/// Of each stack the innermost place that belongs neither to Weft nor to a system's library: file and line
/// where the program has them, else its function; empty where its names were taken away. Asks `addr2line`,
/// where that is installed, once for each file of code; a stack costs nothing before.
[[nodiscard]] std::vector<std::string> places_of(std::vector<stack_of_process> const& stacks);

/// True if a function of this (demangled) name, in this file of source, is the program's own.
[[nodiscard]] bool is_of_program(std::string_view function, std::string_view file) noexcept;

/// True if an address of this process lies in a library of MPI.
[[nodiscard]] bool is_in_mpi(void const* address);

} // namespace weft
