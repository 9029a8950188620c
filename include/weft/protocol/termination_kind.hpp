/// The ways in which a mailbox detects that no message is left.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

/// The way in which ranks detect that no rank has work and no message is in flight. The results of a program
/// do not depend on the choice.
enum class termination_kind : std::uint8_t {
    /// Weft's own small all-reduces compare the numbers of sent and handled messages, through shared memory
    /// inside nodes and by messages between nodes.
    counted_waves,
    /// One MPI_Iallreduce after the other compares the numbers of sent and handled messages. Source: Mattern,
    /// 1987, section 4.3; YGM, 2019, section IV.B.
    four_counters,
    /// A barrier that ranks enter when they have no work, then a reduction that tells if a rank got new work
    /// after it had entered the barrier. No messages are counted. Barrier and reduction are calls of
    /// MPI_Iallreduce. Source: Morozov et al., LDAV 2021, section 3, algorithm 5.
    barrier_consensus
};

/// Returns the name of a kind, as in errors and options. Local.
[[nodiscard]] std::string_view name_of(termination_kind value) noexcept;

} // namespace weft
