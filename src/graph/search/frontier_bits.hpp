/// One bit for each own vertex and ghost of a rank. Private.
#pragma once

#include <exchange/gated_exchange.hpp>

#include <weft/graph/arc_graph.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
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
    [[nodiscard]] std::span<std::uint64_t const> words() const noexcept { return words_; }
    void clear() noexcept { words_.assign(words_.size(), 0); } // allocates nothing
    /// Sets the bits of a word for the vertices from `first` on; its zeros change nothing.
    void set(std::size_t first, std::uint64_t word) noexcept {
        words_[first / 64] |= word << first % 64;
        if (first % 64 != 0 && word >> (64 - first % 64) != 0)
            words_[first / 64 + 1] |= word >> (64 - first % 64);
    }
    /// Sets each bit that is set in `others`.
    void set(vertex_bits const& others) noexcept {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others.words_[i];
    }
    /// Calls `visit` with each unset vertex below `vertices`, ascending.
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

/// Brings the bits of ghosts from their owners. If many vertices of an owner are ghosts, it sends the bits
/// of all its vertices, else one bit for each ghost.
class ghost_bits {
public:
    /// Collective: yes, within a gate. Cost: one exchange of at most 4 bytes a ghost.
    ghost_bits(gate& call, arc_graph const& graph);

    /// Fills in the bits of ghosts, which must be clear, from those of their owners. Returns the sum of
    /// `mine` over all ranks. Collective: yes, within a gate. Cost: one exchange of at most 8 bits a ghost.
    std::int64_t bring(gate& call, vertex_bits& bits, std::int64_t mine) const;

private:
    /// The range of ghosts that one rank owns.
    struct owned_ghosts {
        int owner;
        std::size_t begin;
        std::size_t end;
    };

    [[nodiscard]] bool takes_all(owned_ghosts const& part) const noexcept;
    void take_list(owned_ghosts const& part, std::span<std::uint64_t const> words, vertex_bits& bits) const;
    void take_all(owned_ghosts const& part, std::span<std::uint64_t const> words, vertex_bits& bits) const;

    arc_graph const& graph_;
    std::vector<owned_ghosts> ghosts_; // by owner
    std::vector<std::pair<int, std::vector<std::uint32_t>>>
        wanted_; // own vertices, by the rank that has them as ghosts; empty for a rank that takes all
};

} // namespace weft
