/// The ways to end a phase, by the names that Python gives.
#pragma once

#include <weft/core/error.hpp>
#include <weft/protocol/termination_kind.hpp>

#include <string>

namespace weft::python {

/// Throws: `usage_error`.
[[nodiscard]] inline termination_kind termination_named(std::string const& name) {
    for (auto const each : {termination_kind::counted_waves, termination_kind::four_counters,
             termination_kind::barrier_consensus})
        if (name_of(each) == name) return each;
    throw usage_error("termination: " + name + " is no way to end a phase");
}

} // namespace weft::python
