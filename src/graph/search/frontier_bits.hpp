/// One bit for each vertex that a rank knows, its own and its ghosts. Private.
#pragma once

#include <exchange/gated_exchange.hpp>

#include <weft/graph/arc_graph.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// Bits by local number.
class vertex_bits {
public:
    vertex_bits() = default;
    explicit vertex_bits(std::size_t vertices) : words_(vertices / 64 + 1) {}

    [[nodiscard]] bool operator[](std::size_t vertex) const noexcept {
        return (words_[vertex / 64] >> vertex % 64 & 1) != 0;
    }
    void set(std::size_t vertex) noexcept { words_[vertex / 64] |= std::uint64_t{1} << vertex % 64; }
    void clear() noexcept { words_.assign(words_.size(), 0); } // no memory is asked for
    /// Sets those bits of a word that are set, for the vertices from `first` on.
    void set(std::size_t first, std::uint64_t word) noexcept {
        words_[first / 64] |= word << first % 64;
        if (first % 64 != 0 && word >> (64 - first % 64) != 0)
            words_[first / 64 + 1] |= word >> (64 - first % 64);
    }
    /// Sets those that another has.
    void set(vertex_bits const& others) noexcept {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others.words_[i];
    }
    /// Calls `visit` with each of the first vertices that is not set, ascending.
    template <class Visit>
    void for_each_clear(std::size_t vertices, Visit&& visit) const {
        for (std::size_t i = 0; i * 64 < vertices; ++i)
            for (std::uint64_t clear = ~words_[i]; clear != 0; clear &= clear - 1) {
                std::size_t const vertex = i * 64 + static_cast<std::size_t>(std::countr_zero(clear));
                if (vertex >= vertices) return;
                visit(static_cast<std::uint32_t>(vertex));
            }
    }

private:
    std::vector<std::uint64_t> words_;
};

/// Brings the bits of ghosts from their owners, a bit each.
class ghost_bits {
public:
    /// Collective: yes, within a gate. Cost: one exchange of 4 bytes a ghost.
    ghost_bits(gate& call, arc_graph const& graph);

    /// Fills in the ghosts of `bits`, which are clear, from what the owners have for their own. Returns the
    /// sum of `mine` over all ranks. Collective: yes, within a gate. Cost: one exchange of a bit a ghost.
    std::int64_t bring(gate& call, vertex_bits& bits, std::int64_t mine) const;

private:
    arc_graph const& graph_;
    std::vector<std::pair<int, std::vector<std::uint32_t>>>
        wanted_; // own vertices, by the rank that has them as ghosts
};

} // namespace weft
