/// Reduction and all-gather of arrays of bytes by schedules; the typed collectives call them.
#pragma once

#include <weft/collective/schedule.hpp>
#include <weft/core/communicator.hpp>
#include <weft/detail/core/even_shares.hpp>
#include <weft/extend/collective/array_operator.hpp>
#include <weft/extend/collective/participants.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace weft {

/// Consecutive elements of an array.
struct element_range {
    std::size_t first = 0; ///< The index of the first element.
    std::size_t end = 0;

    /// Returns the number of elements.
    [[nodiscard]] std::size_t size() const noexcept { return end - first; }
    /// Returns true if there are no elements.
    [[nodiscard]] bool empty() const noexcept { return first == end; }
    /// Returns part `place` of `parts` parts whose sizes differ by at most one; the first ones are larger.
    [[nodiscard]] element_range part(std::size_t place, std::size_t parts) const noexcept {
        auto const [from, to] = detail::even_shares(static_cast<std::int64_t>(size()),
            static_cast<std::int64_t>(parts))[static_cast<std::int64_t>(place)];
        return {first + static_cast<std::size_t>(from), first + static_cast<std::size_t>(to)};
    }
    friend bool operator==(element_range const&, element_range const&) = default;
};

/// Returns the elements that a participant has at the end: all, a share, or none of them. Local, O(rounds).
[[nodiscard]] element_range kept_elements(
    schedule const& rounds, std::int64_t participant, std::size_t elements);

/// Arrays of the participants, all of one length.
struct array_call {
    schedule const& rounds;                           ///< The steps of the reduction.
    participants const& who;                          ///< The participants and their ranks.
    std::span<std::byte* const> arrays;               ///< The arrays of this rank's participants, in order.
    std::size_t elements = 0;                         ///< The number of elements of each array.
    std::size_t element_bytes = 1;                    ///< Bytes of one element.
    std::size_t segment_bytes = std::size_t{1} << 16; ///< that travel and are combined at once
};

/// A good value of `segment_bytes`: within one node, where the receiver's processor copies, fewer and longer
/// segments than on a network, which brings the next segment while one is combined. The same on all ranks.
/// Local.
[[nodiscard]] std::size_t segment_bytes_on(communicator const& comm) noexcept;

/// Reduces the arrays in place: afterwards each participant has the combined elements that it keeps; its
/// other elements are unspecified. While a segment is combined, the next ones are in transit. `may_throw`,
/// equal on all ranks: the operator may throw, and the ranks agree on the error. `threads` of this rank
/// combine segments.
///
/// Collective: yes, within a gate. Blocks: until the arrays may be used again and, if `may_throw`, all ranks
/// have called. Cost: a message for each segment and pair of participants on different ranks that have it in
/// common; at most four segments from each rank are kept beside the arrays; a census, two if `may_throw`.
/// Order: that of each group, in pairs, in pairs of pairs. Throws: the error that the gate has kept and
/// errors of the operator, on all ranks; `usage_error` for 0 threads; `mpi_error`.
void reduce_arrays(gate& call, array_call const& what, array_operator& how, bool may_throw, int threads = 1);

/// Distributes the elements that participants have after these rounds, until each has the whole array.
/// Collective: yes, within a gate. Blocks: until this rank has all elements. Cost: as `reduce_arrays`,
/// without the operator. Throws: the error that the gate has kept, on all ranks; `mpi_error`.
void spread_arrays(gate& call, array_call const& what);

} // namespace weft
