/// One fault in a whole program, as users write them.
#pragma once

#include "injector.hpp"

#include <cstdint>
#include <string>

namespace faults {

struct program_fault {
    std::string call; ///< in which it comes
    std::string folder = ".";
    memory which = memory::small;
    std::int64_t n = 0; ///< none for 0: then each rank prints its number of opportunities
    int rank = 0;
    int patience = 0; ///< seconds until a rank gives up the others; 0: as in any program
};

/// Runs the call twice, the second time with the fault, and the program ends as `weft::run` ends it. Returns
/// its exit code.
[[nodiscard]] int run_program(int argc, char** argv, program_fault const& fault);

} // namespace faults
