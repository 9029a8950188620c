/// Machines from papers, for simulations.
#pragma once

#include <weft/machine/machine_model.hpp>

#include <span>
#include <string_view>

namespace weft {

/// `intrepid` (BlueGene/P), `jaguar` (Cray XT-4) and `bigred` (Myrinet): four ranks per node, the LogGP
/// parameters of Table 1, the penalty of a synchronous send and the size from which sends wait for their
/// receiver of Table 2; on Intrepid a barrier network combines values in a microsecond (section 4).
/// Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010.
///
/// `quartz` (36 ranks per node, Omni-Path), `theta` (64, Aries) and `cascadelake` (48, Omni-Path, the machine
/// of HPDC 2024), for whose networks the papers give no parameters. Gaps were measured by others on machines
/// of the same kind; overheads and parameters inside nodes are those of the built-in model; the
/// ranks of a node share the bandwidth of its port. Source: YGM, 2019, section V; LDAV 2021, section 4.1;
/// HPDC 2024, section 4.1; for each value docs/simulation.md.
[[nodiscard]] std::span<std::string_view const> known_machines() noexcept;

/// Returns one of the known machines. Throws: `usage_error` for a name that `known_machines` does not return.
/// Local.
[[nodiscard]] machine_model known_machine(std::string_view name);

} // namespace weft
