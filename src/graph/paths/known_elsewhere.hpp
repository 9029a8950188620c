/// The ranks that know a vertex as a ghost. Private.
#pragma once

#include "graph/two_way_arcs.hpp"

#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/arc_graph.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// For each vertex of this rank, the ranks that have it as a ghost; for each ghost, the vertices of this
/// rank to which it has arcs.
class known_elsewhere {
public:
    /// A rank, and the local number of a vertex on it.
    struct place {
        int rank;
        std::uint32_t number;
    };

    /// Collective: yes, within a gate. Cost: one exchange of 8 bytes a ghost. Throws: what the gate has kept,
    /// agreed. The gate keeps what fails in the end.
    known_elsewhere(gate& call, arc_graph const& graph, two_way_arcs const& arcs);

    /// Returns true if no other rank has a vertex of this rank as a ghost.
    [[nodiscard]] bool empty() const noexcept { return places_.empty(); }
    [[nodiscard]] std::span<place const> of(std::uint32_t local) const noexcept {
        if ((is_known_[local / word_bits] >> local % word_bits & 1) == 0) return {};
        std::size_t const number = number_of(local);
        return std::span(places_).subspan(
            first_place_[number], first_place_[number + 1] - first_place_[number]);
    }
    /// Returns own vertices to which an arc leads from ghost number `ghost`.
    [[nodiscard]] std::span<std::uint32_t const> targets_of(std::size_t ghost) const noexcept {
        return std::span(targets_).subspan(
            first_target_[ghost], first_target_[ghost + 1] - first_target_[ghost]);
    }

private:
    static constexpr std::uint32_t word_bits = 64;

    /// Returns the number of a vertex among those that are known elsewhere.
    [[nodiscard]] std::size_t number_of(std::uint32_t local) const noexcept {
        std::uint64_t const below = (std::uint64_t{1} << local % word_bits) - 1;
        return known_before_[local / word_bits] +
               static_cast<std::size_t>(std::popcount(is_known_[local / word_bits] & below));
    }

    std::vector<std::uint64_t> is_known_;   // a bit for each local vertex: few are known where a map is cut
    std::vector<std::size_t> known_before_; // by word
    std::vector<std::size_t> first_place_;  // by number, one more at the end
    std::vector<place> places_;
    std::vector<std::size_t> first_target_; // by ghost, one more at the end
    std::vector<std::uint32_t> targets_;
};

} // namespace weft
