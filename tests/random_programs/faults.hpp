/// The law on errors as a table: each way in which a call can fail on one rank. docs/errors.md has the same
/// rows, which a test compares, and the generator draws from them.
#pragma once

#include "draws.hpp"
#include "operation.hpp"

#include <span>

namespace random_programs {

struct fault {
    char const* verb; ///< the verb that draws it
    char const* name;
    char const* call;    ///< the public call
    char const* trouble; ///< the failure on one rank
    char const* others;  ///< the effect on the others
};

[[nodiscard]] std::span<fault const> faults() noexcept;

/// Sets `fault=` and `by=` at random; `by` is a rank modulo the size of the communicator.
void draw_fault(draws& random, operation& line);

/// Prints the table in the form of docs/errors.md.
void print_faults();

} // namespace random_programs
