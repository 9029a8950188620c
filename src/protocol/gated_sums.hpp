/// Small reductions that carry an error on the way. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include <cstdint>

namespace weft {

/// The same as without a gate, but throw on all ranks what a rank has kept in it: what was allocated or
/// called back since the last collective call costs no census of its own. Arguments named by `same` are
/// compared by `sum` and `max`. Collective: yes, within a gate. Blocks, Cost: as without. Throws: what the
/// gate has kept, agreed; `mpi_error`.
[[nodiscard]] std::int64_t sum(gate& open, std::int64_t mine);
[[nodiscard]] std::int64_t max(gate& open, std::int64_t mine);
/// A share is above INT64_MIN, which stands for a rank that has failed.
[[nodiscard]] prefix exclusive_sum(gate& open, std::int64_t mine);

} // namespace weft
