/// The law on errors as a table: each way in which a call fails on one rank. docs/errors.md has the same
/// rows, a test compares them, and the generator draws from them.
#pragma once

#include "draws.hpp"
#include "operation.hpp"

#include <span>

namespace random_programs {

struct fault {
    char const* verb; ///< that draws it
    char const* name;
    char const* call;    ///< the public call
    char const* trouble; ///< on one rank
    char const* others;  ///< how the others learn of it
};

[[nodiscard]] std::span<fault const> faults() noexcept;

/// Sets `fault=` and `by=`, the rank modulo the size of the communicator, with some chance.
void draw_fault(draws& random, operation& line);

/// The table as docs/errors.md has it.
void print_faults();

} // namespace random_programs
