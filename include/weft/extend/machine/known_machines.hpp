/// Machines of the literature, for simulations.
#pragma once

#include <weft/machine/machine_model.hpp>

#include <span>
#include <string_view>

namespace weft {

/// `intrepid` (BlueGene/P), `jaguar` (Cray XT-4) and `bigred` (Myrinet): four ranks a node, the LogGP
/// parameters of Table 1, the penalty of a synchronous send and the size from which sends wait for their
/// receiver of Table 2; on Intrepid values are combined by its barrier network in a microsecond (section 4).
/// Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010.
[[nodiscard]] std::span<std::string_view const> known_machines() noexcept;

/// One of the known machines. Throws: `usage_error` for another name. Local.
[[nodiscard]] machine_model known_machine(std::string_view name);

} // namespace weft
