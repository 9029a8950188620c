/// A kind of operation: one file in verbs/ and one row in verbs.cpp.
#pragma once

#include "draws.hpp"
#include "model.hpp"
#include "operation.hpp"

#include <span>
#include <string_view>

namespace random_programs {

class session;

struct verb {
    char const* name;
    int weight; ///< how often it is drawn, against the others
    /// Fills in the arguments; false where there is nothing to do it with. `seed` and `fault` are set before.
    bool (*draw)(draws&, model const&, operation&);
    /// What exists afterwards; null: as before.
    void (*apply)(model&, operation const&);
    /// This rank's part, and whether all came as it must.
    void (*run)(session&, operation const&);
};

[[nodiscard]] std::span<verb const* const> verbs() noexcept;
/// Throws: `std::runtime_error` if there is none.
[[nodiscard]] verb const& verb_of(std::string_view name);

/// A legal program, the same for equal arguments. `only`: the verbs to be drawn, by commas; empty: all.
/// `without`: verbs and values of arguments, such as faults or protocols, that are not.
[[nodiscard]] program draw_program(
    std::uint64_t seed, int operations, int ranks, std::string_view only, std::string_view without);

} // namespace random_programs
