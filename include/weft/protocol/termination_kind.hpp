/// The ways in which a mailbox finds out that a phase is over.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

/// The way in which ranks find out that none has anything to do and no message is in flight. A phase
/// does the same with all of them.
enum class termination_kind : std::uint8_t {
    /// Weft's own: what all have sent and handled is counted, by small all-reduces through shared memory
    /// inside nodes and by messages between them.
    counted_waves,
    /// The same counts, by one MPI_Iallreduce after the other. Source: Mattern, 1987, section 4.3; YGM, 2019,
    /// section IV.B.
    four_counters,
    /// A barrier that ranks without work enter, then a reduction that says whether one had work since.
    /// Nothing is counted. Both are MPI_Iallreduce. Source: Morozov et al., LDAV 2021, section 3,
    /// algorithm 5.
    barrier_consensus
};

/// Returns the name of a way to end a phase, as errors and options show it. Local.
[[nodiscard]] std::string_view name_of(termination_kind value) noexcept;

} // namespace weft
