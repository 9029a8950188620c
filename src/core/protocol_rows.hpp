/// The protocols, a row each, used by settings, the machine model, the automatic choice, tests and Python.
#pragma once

#include <weft/core/settings.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace weft {

/// Properties of a protocol that are used outside of its engine.
struct protocol_facts {
    std::string_view name;
    int tried_as = 0;          ///< Position in the order of the automatic choice; 0: not tried.
    bool needs_levels = false; ///< Needs several ranks on each of several nodes.
    bool needs_counters =
        false; ///< Needs counters to which other ranks add; without these pcx is used instead.
};

/// In the order of `protocol`.
inline constexpr protocol_facts protocol_rows[] = {
    {.name = "nbx", .tried_as = 3},
    {.name = "pex", .tried_as = 4},
    {.name = "pcx", .tried_as = 1},
    // Only its first use shows whether counters work here, and it was never the fastest if they
    // do.
    {.name = "rsx", .needs_counters = true},
    {.name = "store_and_forward", .tried_as = 2},
    {.name = "nbx_two_level", .tried_as = 5, .needs_levels = true},
    {.name = "pcx_two_level", .tried_as = 6, .needs_levels = true},
};
static_assert(std::size(protocol_rows) == static_cast<std::size_t>(protocol::automatic), "a row a protocol");

/// Returns false for `automatic` and for numbers that are not protocols.
[[nodiscard]] constexpr bool has_row(protocol how) noexcept {
    return static_cast<std::size_t>(how) < std::size(protocol_rows);
}

/// Returns the properties of a protocol; a number without a row needs nothing and is not tried.
[[nodiscard]] constexpr protocol_facts facts_of(protocol how) noexcept {
    return has_row(how) ? protocol_rows[static_cast<std::size_t>(how)] : protocol_facts{.name = "automatic"};
}

} // namespace weft
