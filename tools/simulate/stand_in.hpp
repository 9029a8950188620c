/// Bytes that stand for many on a simulated machine.
#pragma once

#include <weft/machine/machine_model.hpp>

#include <algorithm>
#include <cstdint>

namespace weft::tool {

/// Large arrays on many ranks are more than one process has memory for, and their content is of no
/// consequence. So a byte stands for `bytes` of them, and each byte that is sent costs as much as these.
struct stand_in {
    std::int64_t bytes = 1;

    /// For arrays that are sent in parts: 4096 bytes are enough for even shares. Costs that were measured by
    /// size are of whole messages, so there every byte stands for itself.
    static stand_in for_arrays(machine_model const& machine, std::int64_t array_bytes) {
        bool const measured = !machine.between.measured.empty() || !machine.inside.measured.empty();
        constexpr std::int64_t fine = 4096;
        return {measured ? 1 : std::clamp<std::int64_t>(array_bytes / fine, 1, 64)};
    }
    [[nodiscard]] machine_model on(machine_model machine) const {
        auto const times = static_cast<double>(bytes);
        machine.inside.parameters.gap_per_byte *= times;
        machine.between.parameters.gap_per_byte *= times;
        machine.copy_per_byte *= times;
        machine.handover_per_byte *= times;
        machine.simulation.node_gap_per_byte *= times;
        machine.simulation.eager_bytes /= bytes;
        return machine;
    }
    /// Returns the number of simulated bytes that stand for `meant` bytes, rounded up.
    [[nodiscard]] std::size_t of(std::int64_t meant) const noexcept {
        return static_cast<std::size_t>((meant + bytes - 1) / bytes);
    }
};

} // namespace weft::tool
