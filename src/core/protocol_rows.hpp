/// A row a protocol: settings, the model of the machine, the automatic choice, tests and Python go by these.
#pragma once

#include <weft/core/settings.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace weft {

/// Facts of a protocol that others than its engine go by.
struct protocol_facts {
    std::string_view name;
    int tried_as = 0;          ///< Place among those that the automatic choice tries; 0: it tries others.
    bool needs_levels = false; ///< Several ranks on each of several nodes.
    bool needs_counters =
        false; ///< Counters that other ranks add to; where they do not work pcx takes its place.
};

/// In the order of `protocol`.
inline constexpr protocol_facts protocol_rows[] = {
    {.name = "nbx", .tried_as = 3},
    {.name = "pex", .tried_as = 4},
    {.name = "pcx", .tried_as = 1},
    // Nothing tells before its first use whether counters work here, and where they do it was never the
    // fastest.
    {.name = "rsx", .needs_counters = true},
    {.name = "store_and_forward", .tried_as = 2},
    {.name = "nbx_two_level", .tried_as = 5, .needs_levels = true},
    {.name = "pcx_two_level", .tried_as = 6, .needs_levels = true},
};
static_assert(std::size(protocol_rows) == static_cast<std::size_t>(protocol::automatic), "a row a protocol");

/// False for `automatic` and for numbers that are no protocol.
[[nodiscard]] constexpr bool has_row(protocol how) noexcept {
    return static_cast<std::size_t>(how) < std::size(protocol_rows);
}

/// The facts of a protocol; a number without a row needs nothing and is not tried.
[[nodiscard]] constexpr protocol_facts facts_of(protocol how) noexcept {
    return has_row(how) ? protocol_rows[static_cast<std::size_t>(how)] : protocol_facts{.name = "automatic"};
}

} // namespace weft
