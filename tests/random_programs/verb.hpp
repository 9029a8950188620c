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
    int weight; ///< relative frequency
    /// Sets the arguments; returns false if the objects are missing. `seed` and `fault` are set before.
    bool (*draw)(draws&, model const&, operation&);
    /// Updates the model; null: it does not change.
    void (*apply)(model&, operation const&);
    /// Runs this rank's part, and checks its results.
    void (*run)(session&, operation const&);
};

[[nodiscard]] std::span<verb const* const> verbs() noexcept;
/// Throws: `std::runtime_error` for an unknown verb.
[[nodiscard]] verb const& verb_of(std::string_view name);

/// Returns a valid program, the same for equal arguments. `only`: the verbs to draw, separated by commas;
/// empty: all. `without`: verbs and values of arguments, such as faults or protocols, that are not drawn.
[[nodiscard]] program draw_program(
    std::uint64_t seed, int operations, int ranks, std::string_view only, std::string_view without);

} // namespace random_programs
