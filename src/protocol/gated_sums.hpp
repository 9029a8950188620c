/// Small reductions that also agree on errors. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstdint>

namespace weft {

/// As without a gate, but these throw on all ranks an error that a rank has kept in the gate, so allocations
/// and callbacks since the last collective call need no census of their own. `sum` and `max` also compare
/// arguments named by `same`. Collective: yes, within a gate. Blocks, Cost: as without a gate. Throws: the
/// errors kept in the gate, agreed; `mpi_error`.
[[nodiscard]] std::int64_t sum(gate& open, std::int64_t mine);
[[nodiscard]] std::int64_t max(gate& open, std::int64_t mine);
/// `mine` must be above INT64_MIN, which marks a rank that has failed.
[[nodiscard]] prefix exclusive_sum(gate& open, std::int64_t mine);

} // namespace weft
